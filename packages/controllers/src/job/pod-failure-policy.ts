import type { PodFailurePolicy, PodFailurePolicyRule } from '@kubechain/apimachinery/types/batch/v1';
import type { ContainerStatus, Pod } from '@kubechain/apimachinery/types/core/v1';

/** What a pod failure policy makes of a failed pod. */
export interface FailureVerdict {
  /** Of the rule that matched; undefined where none did. */
  readonly action?: PodFailurePolicyRule['action'];
  /** Whether the failure counts towards the limits of back-off. */
  readonly counts: boolean;
  /** Why the whole job fails. */
  readonly message?: string;
}

/** The verdict of the first rule that matches (job/pod_failure_policy.go, 1.36). */
export function judgeFailure(policy: PodFailurePolicy | undefined, pod: Pod): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const what = matchOf(rule, pod);
    if (what === undefined) continue;
    const { action } = rule;
    if (action !== 'FailJob') return { action, counts: action !== 'Ignore' };
    return { action, counts: true, message: `${what} matching FailJob rule at index ${index}` };
  }
  return { counts: true };
}

function matchOf(
  { onExitCodes, onPodConditions }: PodFailurePolicyRule,
  { metadata, status }: Pod,
): string | undefined {
  const pod = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const matches = ({ name, state }: ContainerStatus): boolean => {
      const code = state?.terminated?.exitCode ?? 0;
      return (
        (containerName === undefined || containerName === name) &&
        code !== 0 &&
        values.includes(code) === (operator === 'In')
      );
    };
    const container = status?.containerStatuses?.find(matches) ?? status?.initContainerStatuses?.find(matches);
    if (container === undefined) return undefined;
    return (
      `Container ${container.name} for pod ${pod} failed with exit code ` +
      `${container.state?.terminated?.exitCode ?? 0}`
    );
  }
  const condition = status?.conditions?.find((one) =>
    onPodConditions?.some(({ type, status: wanted = 'True' }) => one.type === type && one.status === wanted),
  );
  return condition === undefined ? undefined : `Pod ${pod} has condition ${condition.type}`;
}
