# For amd64 and arm64 alike: `docker buildx build --platform linux/amd64,linux/arm64 .`
# Any image with Python 3.11 or newer, glibc 2.28 or newer and useradd will do.
ARG BASE=python:3.11-slim

FROM ${BASE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY pyproject.toml setup.py constraints.txt README.md LICENSE ./
COPY chatops_bot ./chatops_bot
COPY runbooks ./runbooks
RUN pip wheel --no-deps --wheel-dir /wheels .
# Wheels alone, in the versions of constraints.txt: a dependency without a wheel for this platform ends the build here,
# rather than ask for a compiler. Compiled to bytecode, since the bot cannot write any; importing it anew takes seconds.
RUN python -m venv --without-pip /opt/chatops \
    && pip --python /opt/chatops/bin/python install --no-compile --only-binary=:all: -c constraints.txt \
        "$(echo /wheels/chatops_bot-*.whl)[charts,feishu,speed,wecom]" \
    && python -m compileall -q --invalidation-mode unchecked-hash /opt/chatops/lib

FROM ${BASE}
ENV PATH=/opt/chatops/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Where matplotlib keeps its list of fonts: nothing else can be written to in a container whose root is read-only.
ENV MPLCONFIGDIR=/dev/shm/matplotlib
# The folder is for the embedded store, which is for trials; with Redis outside nothing is ever written to disk.
RUN groupadd --gid 10001 chatops \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin chatops \
    && install --directory --owner=10001 --group=10001 --mode=0700 /srv/chatops-data
COPY --from=build /opt/chatops /opt/chatops
WORKDIR /srv
USER 10001:10001
EXPOSE 8081
# Not through a proxy, and on the port of the environment: one that only the configuration file names is not known here.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["python", "-c", "\
import http.client, os, sys; \
bot = http.client.HTTPConnection('127.0.0.1', int(os.environ.get('CHATOPS_HTTP__PORT') or 8081), timeout=4); \
bot.request('GET', '/healthz'); \
sys.exit(bot.getresponse().status != 200)"]
ENTRYPOINT ["chatops-bot"]
CMD ["run"]
ARG REVISION=""
LABEL org.opencontainers.image.title="chatops-bot" \
    org.opencontainers.image.description="A Kubernetes operations bot for incident channels that cannot act on the wrong service" \
    org.opencontainers.image.version="0.1.0" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.revision="${REVISION}"
