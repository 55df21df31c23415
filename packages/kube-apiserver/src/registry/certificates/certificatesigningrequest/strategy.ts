import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver';
import { copyField } from '../../spec-strategy.ts';

interface Condition { type?: string; status?: string; lastUpdateTime?: string; lastTransitionTime?: string }

/** CertificateSigningRequests: the server says who asked; the rest never changes (pkg/registry/certificates/certificates/strategy.go, 1.36). */
export const certificateSigningRequestStrategy: Strategy = {
  resetFields: ['spec', 'status'],
  // Signers choose names as they like.
  validateName: () => [],
  prepareForCreate(request, context) {
    const { user } = context.request;
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = (request['spec'] ?? {}) as Record<string, unknown>;
    request['spec'] = {
      ...spec,
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: structuredClone(user.extra) }),
    };
    request['status'] = {};
  },
  prepareForUpdate(request, old) {
    copyField(old, request, 'spec');
    copyField(old, request, 'status');
  },
};

const isDecision = (condition: Condition): boolean => condition.type === 'Approved' || condition.type === 'Denied';

/** The status endpoint: the signer's. Approval is not its business. */
export const certificateSigningRequestStatusStrategy: Strategy = {
  resetFields: ['spec'],
  prepareForUpdate(request, old) {
    copyField(old, request, 'spec');
    const decided = conditionsOf(old).filter(isDecision);
    const conditions = [...decided, ...conditionsOf(request).filter((condition) => !isDecision(condition))];
    setConditions(request, conditions);
  },
};

/** The approval endpoint: changes conditions and nothing else. */
export const certificateSigningRequestApprovalStrategy: Strategy = {
  resetFields: ['spec', 'status.certificate'],
  prepareForUpdate(request, old) {
    copyField(old, request, 'spec');
    const conditions = conditionsOf(request);
    request['status'] = { ...(old['status'] as object | undefined) };
    setConditions(request, conditions);
  },
};

function conditionsOf(request: KubeObject): readonly Condition[] {
  return (request['status'] as { conditions?: Condition[] } | undefined)?.conditions ?? [];
}

function setConditions(request: KubeObject, conditions: readonly Condition[]): void {
  const { conditions: _old, ...status } = (request['status'] ?? {}) as Record<string, unknown>;
  request['status'] = conditions.length === 0 ? status : { ...status, conditions };
}
