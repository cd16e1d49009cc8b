FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/chatops
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY chatops_bot ./chatops_bot
RUN /opt/chatops/bin/pip install --no-cache-dir -c constraints.txt '.[feishu,charts,speed]' \
    && /opt/chatops/bin/python -m compileall -q /opt/chatops/lib

FROM python:3.11-slim
# Matplotlib wants a place for its font cache; everything else needs no writable disk.
ENV PATH=/opt/chatops/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=/tmp
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin chatops
COPY --from=build /opt/chatops /opt/chatops
WORKDIR /srv
USER 10001
EXPOSE 8081
CMD ["chatops-bot", "run"]
