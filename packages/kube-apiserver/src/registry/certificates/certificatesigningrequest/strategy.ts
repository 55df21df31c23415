import { formatTime, nameIsAnything } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@kubechain/apimachinery/types/certificates/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { copyField } from '../../spec-strategy.ts';
import { certificateRequestRules } from './validation.ts';

type Condition = CertificateSigningRequestCondition;

/**
 * CertificateSigningRequests: the server says who asked; the rest never changes
 * (pkg/registry/certificates/certificates/strategy.go, 1.36).
 */
export const certificateSigningRequestStrategy: Strategy = {
  resetFields: ['spec', 'status'],
  // Signers choose names as they like.
  validateName: nameIsAnything,
  ...certificateRequestRules({ approves: false, signs: false }),
  prepareForCreate(request, context) {
    const { user } = context.request;
    const {
      username: _name,
      uid: _uid,
      groups: _groups,
      extra: _extra,
      ...spec
    } = (request['spec'] ?? {}) as Record<string, unknown>;
    request['spec'] = {
      ...spec,
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0
        ? {}
        : { extra: structuredClone(user.extra) }),
    };
    request['status'] = {};
  },
  prepareForUpdate(request, old) {
    copyField(old, request, 'spec');
    copyField(old, request, 'status');
  },
};

/** The status endpoint: the signer's. Approval is not its business. */
export function certificateSigningRequestStatusStrategy(clock: Clock): Strategy {
  return {
    resetFields: ['spec', 'status.conditions'],
    updateChecksMetadata: ['object', 'rules', 'update'],
    ...certificateRequestRules({ approves: false, signs: true }),
    prepareForUpdate(request, old) {
      copyField(old, request, 'spec');
      setConditions(
        request,
        withTimes(keepDecisions(conditionsOf(request), conditionsOf(old)), conditionsOf(old), clock),
      );
    },
  };
}

/** The approval endpoint: changes conditions and nothing else. */
export function certificateSigningRequestApprovalStrategy(clock: Clock): Strategy {
  return {
    resetFields: ['spec', 'status.certificate'],
    updateChecksMetadata: ['object', 'rules', 'update'],
    ...certificateRequestRules({ approves: true, signs: false }),
    prepareForUpdate(request, old) {
      const conditions = withTimes(conditionsOf(request), conditionsOf(old), clock);
      copyField(old, request, 'spec');
      request['status'] = { ...(old['status'] as object | undefined) };
      setConditions(request, conditions);
    },
  };
}

/** Approvals and denials as they were; where some were added or removed, validation says so. */
function keepDecisions(conditions: readonly Condition[], before: readonly Condition[]): readonly Condition[] {
  let kept = conditions;
  for (const type of ['Approved', 'Denied']) {
    const old = before.filter((condition) => condition.type === type);
    if (kept.filter((condition) => condition.type === type).length !== old.length) continue;
    let next = 0;
    kept = kept.map((condition) => (condition.type === type ? (old[next++] ?? condition) : condition));
  }
  return kept;
}

/** Conditions without times get them; a transition time is that of the same condition before, if there was one. */
function withTimes(conditions: readonly Condition[], before: readonly Condition[], clock: Clock): readonly Condition[] {
  const now = formatTime(clock.now());
  const keyOf = ({ type, status }: Condition): string => JSON.stringify([type, status]);
  // The first of each type and status counts, which comes last here.
  const known = new Map(
    before
      .filter(({ lastTransitionTime }) => lastTransitionTime !== undefined)
      .toReversed()
      .map((condition) => [keyOf(condition), condition.lastTransitionTime]),
  );
  return conditions.map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? known.get(keyOf(condition)) ?? now,
  }));
}

function conditionsOf(request: KubeObject): readonly Condition[] {
  return (request as CertificateSigningRequest).status?.conditions ?? [];
}

function setConditions(request: KubeObject, conditions: readonly Condition[]): void {
  const { conditions: _old, ...status } = (request['status'] ?? {}) as Record<string, unknown>;
  request['status'] = conditions.length === 0 ? status : { ...status, conditions };
}
