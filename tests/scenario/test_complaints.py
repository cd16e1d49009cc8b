"""Where the reports of comparable tools' users are tests: of names and places (b), of confirming (c), of dialogue
frameworks (d), of diagnosis and actions (f), and of Kubernetes tools (k, by the reports named beside). The table cannot
name what is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
TRANSCRIPT: Final = "scenario/transcripts/{}.yaml"

COMPLAINTS: Final[dict[str, tuple[str, ...]]] = {
    "b14": ("names-a-prefix-is-another-name-b14",),
    "b15": ("alerts-unmapped-say-so-b15", "names-in-several-namespaces-are-asked-a13-b15"),
    "b17": (
        "names-an-environment-that-contradicts-is-asked-b17",
        "scenario/test_reported.py::test_what_is_asked_of_another_cluster_is_not_answered_from_this_one_b17",
    ),
    "b18": ("scenario/test_reported.py::test_what_is_counted_is_of_the_place_that_was_named_which_is_shown_b18",),
    "b20": ("scenario/test_reported.py::test_pods_are_those_of_what_is_talked_about_else_it_is_asked_b20",),
    "b22": ("unit/adapters/slack_chat/test_text.py::test_what_people_write_is_read_as_they_see_it",),
    "b23": (
        "unit/adapters/feishu_chat/test_text.py::test_a_text_is_read_with_its_mentions",
        "unit/adapters/feishu_chat/test_text.py::test_a_rich_text_is_read_paragraph_by_paragraph",
    ),
    "c24": ("intents-two-dangerous-give-two-plans-c24-c32-d1", "approvals-go-to-the-plan-that-was-clicked-c24"),
    "c26": ("confirm-vetoes-en-c26-d18", "confirm-vetoes-zh-c26"),
    "c27": ("clicks-forged-and-unknown-buttons-are-refused-c27-d26",),
    "c28": ("policy-an-empty-list-is-nobody-c28",),
    "c30": ("scenario/test_approvals.py::test_a_click_whose_worker_dies_is_answered_by_the_next_one",),
    "c32": ("intents-two-are-handled-the-dangerous-first-c32",),
    "c33": ("scenario/test_bad_input.py::test_words_and_clicks_take_the_same_way_c33",),
    "c34": ("audit-the-real-person-is-named-c46-c34",),
    "c35": (
        "clicks-a-double-click-runs-once-c35-g3-g7-d5-d19",
        "cluster/test_storm_clicks.py::test_fifty_people_confirm_at_once_and_it_is_done_once_c35_g3",
    ),
    "c37": ("outage-cluster-away-is-said-c37-g2",),
    "c38": ("reads-are-never-gated-c38-c41",),
    "c39": ("injection-logs-are-data-c39",),
    "c40": ("approvals-are-wanted-where-it-matters-c40",),
    "c41": ("reads-are-never-gated-c38-c41",),
    "c43": ("confirm-in-the-thread-when-nobody-else-wrote-c43",),
    "c45": ("approvals-by-distinct-further-people-c45",),
    "c46": ("audit-the-real-person-is-named-c46-c34",),
    "c48": ("policy-who-clicks-counts-not-who-asked-a3-c46-c48-d9-d28",),
    "d1": ("intents-two-dangerous-give-two-plans-c24-c32-d1",),
    "d3": (
        "steps-go-on-after-a-restart-and-only-once",
        "scenario/test_execution.py::test_a_conflict_at_the_write_is_read_again_and_written_once",
    ),
    "d5": ("clicks-a-double-click-runs-once-c35-g3-g7-d5-d19",),
    "d6": ("outage-redis-away-refuses-and-loses-nothing-d6", "restart-between-plan-and-click-d6-d30"),
    "d9": ("policy-who-clicks-counts-not-who-asked-a3-c46-c48-d9-d28",),
    "d10": (
        "scenario/test_reported.py::test_why_somebody_said_no_is_on_record_and_in_the_context_d10",
        "scenario/test_approvals.py::test_the_reason_of_a_rejection_is_on_record_with_the_plan",
    ),
    "d11": ("flow-a-new-order-switches-and-voids-the-old-d11",),
    "d13": ("modify-keeps-what-was-collected-d13",),
    "d14": ("rooms-never-mix-a2-d14-d15", "routing-r6-another-name-opens-a-thread-and-the-old-one-lives-on"),
    "d15": (
        "rooms-never-mix-a2-d14-d15",
        "scenario/test_reported.py::test_the_same_ids_of_two_tenants_are_two_people_and_two_rooms_d15",
    ),
    "d17": ("confirm-in-all-its-dress-zh-d17",),
    "d18": ("confirm-vetoes-en-c26-d18",),
    "d19": (
        "clicks-a-double-click-runs-once-c35-g3-g7-d5-d19",
        "contract/store/test_ledger.py::test_of_many_confirmations_at_once_one_holds",
    ),
    "d20": (
        "contract/store/test_commit.py::test_everything_is_written_and_taken_for_the_caller",
        "contract/store/test_commit.py::test_a_stale_claim_changes_nothing",
    ),
    "d22": ("scenario/test_reported.py::test_no_yes_holds_for_what_comes_later_d22",),
    "d23": ("scenario/test_reported.py::test_what_waits_is_told_from_what_is_stored_and_never_by_a_model_d23",),
    "d24": (
        "confirm-in-all-its-dress-en-d24",
        "scenario/test_transcripts_platforms.py::test_every_transcript_holds_on_every_platform",
        "unit/adapters/wecom_chat/test_inbound.py::test_the_mention_that_brought_it_here_is_taken_out",
    ),
    "d26": ("clicks-forged-and-unknown-buttons-are-refused-c27-d26",),
    "d27": ("routing-r2-a-reply-goes-to-the-thread-of-its-card-g9-d27",),
    "d28": ("policy-who-clicks-counts-not-who-asked-a3-c46-c48-d9-d28",),
    "d29": ("clicks-redelivered-events-are-taken-once-d49-d57-d29",),
    "d30": ("restart-between-plan-and-click-d6-d30",),
    "f72": (
        "unit/domain/test_diagnosis_status.py::test_an_autoscaler_at_its_minimum_is_normal",
        "unit/domain/test_diagnosis_status.py::test_a_running_sidecar_and_a_completed_init_container_are_no_trouble",
    ),
    "f73": (
        "unit/domain/test_diagnosis_status.py::test_an_evicted_leftover_does_not_make_a_full_service_unhealthy_but_is_told",
    ),
    "f75": ("target-owned-by-an-autoscaler-is-warned-of-f75",),
    "f77": ("scenario/test_nodes.py::test_a_drain_that_cannot_end_says_what_is_left_and_why",),
    "f78": ("scenario/test_bad_input.py::test_stop_in_the_middle_of_anything_works_at_once_f78",),
    # Wrong target, double run, chat.
    "k1 lens #5494": (
        "unit/domain/actions/test_set_autoscaler.py::test_the_patch_is_of_the_autoscaler_and_names_its_uid",
    ),
    "k2 genova #289": ("cluster/test_storm_clicks.py::test_fifty_people_confirm_at_once_and_it_is_done_once_c35_g3",),
    "k4 botkube #300": ("names-in-several-namespaces-are-asked-a13-b15",),
    "k5 botkube #685": (
        "contract/cluster/test_reading.py::test_workloads_are_those_of_the_served_namespaces_and_the_nodes",
    ),
    "k6 mcp-server-kubernetes #328": (
        "scenario/test_bad_input.py::test_a_name_that_is_none_reaches_nothing_and_is_answered",
    ),
    "k7 kubernetes #111794": ("chart/test_permissions.py::test_what_is_switched_on_works_and_nothing_else_does",),
    "k8 headlamp #3786": ("cluster/test_node_actions.py::test_a_drain_keeps_the_budget_at_every_moment",),
    # Scaling and autoscalers.
    "k10 kubernetes #73614": (
        "contract/sandbox/test_sandbox_controllers.py::test_zero_replicas_switch_an_autoscaler_off",
    ),
    "k11 kubernetes #66385": ("unit/domain/actions/test_scale.py::test_an_autoscaler_will_undo_it",),
    "k12 keda #3052": ("unit/domain/actions/test_scale.py::test_keda_is_told_from_a_plain_autoscaler",),
    "k14 robusta scale_hpa_callback": (
        "unit/domain/actions/test_set_autoscaler.py::test_the_patch_is_of_the_autoscaler_and_names_its_uid",
    ),
    "k15 headlamp #2500": ("unit/domain/actions/test_scale.py::test_zero_is_reached_when_no_pod_is_left",),
    "k16 kubernetes #72775": (
        "unit/domain/actions/test_restart.py::test_a_rollout_under_way_and_an_autoscaler_are_told",
    ),
    "k18 flux2 #1513": ("unit/domain/actions/test_owners.py::test_who_puts_it_back_is_named_with_what_to_do_instead",),
    # Restart, rollout, undo.
    "k19 argo-cd #28769": ("unit/domain/actions/test_owners.py::test_each_action_says_what_becomes_of_it",),
    "k20 prometheus helm-charts #1260": ("unit/domain/actions/test_restart.py::test_an_operators_workload_is_told",),
    "k21 argo-rollouts #1254": ("unit/domain/actions/test_argo.py::test_what_to_know_before_a_restart",),
    "k23 kubernetes #25236": ("rollback-says-from-what-to-what",),
    "k25 kubernetes #51315": ("unit/domain/actions/test_rollback.py::test_an_old_number_still_means_what_it_meant",),
    "k24 kubernetes #94698": ("unit/domain/actions/test_rollback.py::test_what_keeps_the_object_is_told",),
    "k26 website #6921": ("undo-refuses-what-somebody-changed-since",),
    "k29 kubernetes #98656": (
        "unit/domain/actions/test_costs.py::test_a_rollout_that_may_take_none_down_is_stuck_on_a_full_quota",
    ),
    "k30 robusta rollout_restart": (
        "unit/domain/actions/test_restart.py::test_a_partition_is_done_when_its_part_is",
        "unit/domain/actions/test_restart.py::test_on_delete_ends_at_once_and_says_so",
        "cluster/test_kubectl_oracle.py::test_a_second_restart_in_the_same_second_is_refused_by_both",
    ),
    "k31 kubernetes #40224": (
        "cluster/test_kubectl_rollout.py::test_both_say_the_same_of_every_version_from_a_restart_to_its_end",
    ),
    # Nodes.
    "k32 headlamp #5736": (
        "unit/domain/actions/test_drain.py::test_pods_of_daemon_sets_and_mirrors_stay_by_their_owner_and_not_by_a_label",
    ),
    "k35 kubectl #172": ("scenario/test_nodes.py::test_a_drain_that_cannot_end_says_what_is_left_and_why",),
    "k37 kubernetes #82149": (
        "unit/domain/actions/test_drain.py::test_a_round_evicts_one_pod_of_each_budget_and_all_without",
    ),
    "k38 drainsafe #1": (
        "unit/domain/actions/test_cordoning.py::test_somebody_elses_cordon_is_told_loudly_and_high_risk",
    ),
    "k39 k8s-driver-manager #116": ("unit/domain/actions/test_cordoning.py::test_an_uncordon_is_verified_by_a_read",),
    "k40 ansible k8s_drain #416": (
        "contract/cluster/test_pods_going.py::test_a_budget_blocks_an_eviction_and_no_deletion",
    ),
}


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_every_complaint_is_a_test(complaint: str) -> None:
    for where in COMPLAINTS[complaint]:
        file, _, name = where.partition("::")
        if name:
            assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")
        else:
            assert (TESTS / TRANSCRIPT.format(where)).is_file()
