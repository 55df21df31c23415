import {
  append,
  duplicate,
  FieldError,
  FieldPath,
  forbiddenValue,
  goQuote,
  internalFieldError,
  invalidValue,
  isLabelValue,
  isQualifiedName,
  parseCIDR,
  validateLegacyCIDR,
} from '@kubechain/apimachinery';
import type { Node, NodeSpec, Taint } from '@kubechain/apimachinery/types/core/v1';
import { internalForm } from '../../validation/internal-form.ts';
import { format, oneOf } from '../../validation/rules.ts';
import type { ResourceList } from '../resource-list.ts';
import { validateResourceAmount } from '../resource-name.ts';
import { validateAvoidPods } from './avoid-pods.ts';
import { validateNodeConfig } from './node-config.ts';

const taintsPath = FieldPath.of('metadata', 'taints');
const cidrsPath = FieldPath.of('spec', 'podCIDRs');
const statusPath = FieldPath.of('status');
const swapPath = FieldPath.of('metadata', 'nodeSwapStatus', 'capacity');
const key = format(isQualifiedName);
const effect = oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/**
 * Rules of nodes; CIDRs are checked on every write, as the reference runs these rules on updates too (ValidateNode of
 * pkg/apis/core/validation, 1.36).
 */
export function validateNode({ metadata, spec, status }: Node): FieldError[] {
  return [
    ...validateAvoidPods(metadata?.annotations ?? {}),
    ...validateTaints(spec?.taints),
    ...validateAmounts(status),
    ...validateSwap(status?.nodeInfo?.swap?.capacity),
    ...validateFeatures(status?.declaredFeatures),
    ...validateCIDRs(spec),
  ];
}

/** What an update of a node or its status may change (ValidateNodeUpdate). */
export function validateNodeUpdate(node: Node, old: Node): FieldError[] {
  const { spec = {}, status } = node;
  const before: NodeSpec = old.spec ?? {};
  const errors = [
    ...validateAvoidPods(node.metadata?.annotations ?? {}),
    ...validateAmounts(status),
    ...validateFeatures(status?.declaredFeatures),
  ];
  const seen = new Set<string>();
  for (const [i, address] of (status?.addresses ?? []).entries()) {
    const text = `${address.type} ${address.address}`;
    if (seen.has(text))
      errors.push(duplicate(statusPath.child('addresses').index(i), internalForm('core.NodeAddress', address)));
    seen.add(text);
  }
  const cidrs = before.podCIDRs ?? [];
  const now = spec.podCIDRs ?? [];
  const changes =
    cidrs.length === now.length ? cidrs.filter((cidr, i) => cidr !== now[i]).length : cidrs.length === 0 ? 0 : 1;
  for (let i = 0; i < changes; i++)
    errors.push(forbiddenValue(cidrsPath, 'node updates may not change podCIDR except from "" to valid'));
  if (before.providerID && before.providerID !== spec.providerID)
    errors.push(forbiddenValue('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  append(errors, validateNodeConfig(spec, status));
  append(errors, validateTaints(spec.taints));
  if ((spec.externalID ?? '') !== (before.externalID ?? ''))
    errors.push(forbiddenValue('spec.externalID', 'may not be updated'));
  return errors;
}

function validateSwap(capacity: number | undefined): FieldError[] {
  return capacity === undefined || capacity > 0 ? [] : [invalidValue(swapPath, capacity, 'must be greater than zero')];
}

function validateTaints(taints: readonly Taint[] = []): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, i) => {
    const path = taintsPath.index(i);
    const text = `${taint.effect} ${taint.key}`;
    const wrong = isLabelValue(taint.value ?? '');
    const errors = [
      ...key(taint.key, path.child('key')),
      ...(wrong.length === 0 ? [] : [invalidValue(path.child('value'), taint.value, wrong.join(';'))]),
      ...effect(taint.effect, path.child('effect')),
    ];
    if (seen.has(text))
      errors.push(
        new FieldError(
          'FieldValueDuplicate',
          path,
          internalForm('core.Taint', taint),
          'taints must be unique by key and effect pair',
        ),
      );
    seen.add(text);
    return errors;
  });
}

function validateAmounts(status: Node['status']): FieldError[] {
  const check = (list: ResourceList | undefined, field: string): FieldError[] =>
    Object.entries(list ?? {}).flatMap(([name, text]) =>
      validateResourceAmount(name, text, statusPath.child(field, name)),
    );
  return [...check(status?.capacity, 'capacity'), ...check(status?.allocatable, 'allocatable')];
}

const maxFeatureName = 253;
const featureName = /^([A-Z][A-Za-z0-9]*)(\/[A-Za-z0-9]+)*$/u;

function validateFeatures(features: readonly string[] = []): FieldError[] {
  return features.flatMap((feature, i) => {
    const path = statusPath.child('declaredFeatures');
    const next = features[i + 1];
    return [
      ...(feature.length > maxFeatureName
        ? [
            invalidValue(
              path.index(i),
              feature,
              `invalid feature name ${goQuote(feature)}: must be no more than ${String(maxFeatureName)} characters`,
            ),
          ]
        : featureName.test(feature)
          ? []
          : [
              invalidValue(
                path.index(i),
                feature,
                `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, ` +
                  `with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and ` +
                  'contain only alphanumeric characters and slashes',
              ),
            ]),
      ...(next === undefined || feature < next
        ? []
        : [
            feature === next
              ? duplicate(path.index(i + 1), next)
              : invalidValue(path.index(i + 1), next, 'list must be sorted alphabetically'),
          ]),
    ];
  });
}

function validateCIDRs(spec: NodeSpec | undefined): FieldError[] {
  const cidrs = spec?.podCIDRs ?? [];
  const errors = cidrs.flatMap((cidr, i) => validateLegacyCIDR(cidrsPath.index(i), cidr));
  if (cidrs.length < 2) return errors;
  const families = cidrs.map((cidr) => parseCIDR(cidr)?.address.family);
  const broken = families.indexOf(undefined);
  if (broken >= 0)
    errors.push(
      internalFieldError(
        cidrsPath,
        `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${String(broken)}]: <nil> ` +
          `(invalid CIDR address: ${cidrs[broken] ?? ''})`,
      ),
    );
  const pair = broken < 0 && cidrs.length === 2 && families[0] !== families[1];
  return pair
    ? errors
    : [...errors, invalidValue(cidrsPath, cidrs, 'may specify no more than one CIDR for each IP family')];
}
