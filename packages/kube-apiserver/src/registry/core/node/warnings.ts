import { cidrWarnings, FieldPath } from '@kubechain/apimachinery';
import type { Node } from '@kubechain/apimachinery/types/core/v1';

const cidrsPath = FieldPath.of('spec', 'podCIDRs');

/**
 * Fields of nodes that do nothing any more, and ranges that are badly written (nodeWarnings of
 * pkg/registry/core/node/strategy.go, 1.36).
 */
export function nodeWarnings({ spec = {} }: Node): string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(spec.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...(spec.podCIDRs ?? []).flatMap((cidr, i) => cidrWarnings(cidrsPath.index(i), cidr)),
  ];
}
