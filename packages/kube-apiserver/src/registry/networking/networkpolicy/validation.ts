import {
  append,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isValidPortName,
  isValidPortNum,
  parseCIDR,
  required,
  validateLabelSelector,
  validateLegacyCIDR,
} from '@kubechain/apimachinery';
import type { FieldError, LabelSelectorRules } from '@kubechain/apimachinery';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '@kubechain/apimachinery/types/networking/v1';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
import { items, oneOfIfSet, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const policyTypes = ['Ingress', 'Egress'];

const portRule: Rule<NetworkPolicyPort> = ({ endPort, port, protocol }, path) => {
  const errors = oneOfIfSet(['TCP', 'UDP', 'SCTP'])(protocol, path.child('protocol'));
  const endPath = path.child('endPort');
  const at = path.child('port');
  if (port === undefined)
    return endPort === undefined
      ? errors
      : [...errors, invalidValue(endPath, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string') {
    if (endPort !== undefined)
      errors.push(invalidValue(endPath, endPort, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...isValidPortName(port).map((message) => invalidValue(at, port, message))];
  }
  append(
    errors,
    isValidPortNum(port).map((message) => invalidValue(at, port, message)),
  );
  if (endPort === undefined) return errors;
  // The reference prints the port.
  if (endPort < port) errors.push(invalidValue(endPath, port, 'must be greater than or equal to `port`'));
  return [...errors, ...isValidPortNum(endPort).map((message) => invalidValue(endPath, endPort, message))];
};

/** `old`: CIDRs that were there before may be malformed. */
const blockRule =
  (old: ReadonlySet<string>): Rule<IPBlock> =>
  ({ cidr = '', except = [] }: Partial<IPBlock>, path) => {
    if (cidr === '') return [required(path.child('cidr'))];
    const errors = validateLegacyCIDR(path.child('cidr'), cidr, { old });
    const outer = parseCIDR(cidr);
    if (outer === undefined) return errors;
    return [
      ...errors,
      ...except.flatMap((text, i) => {
        const at = path.child('except').index(i);
        const own = validateLegacyCIDR(at, text, { old });
        const inner = parseCIDR(text);
        return inner === undefined || isInside(inner, outer)
          ? own
          : [...own, invalidValue(at, text, 'must be a strict subset of `cidr`')];
      }),
    ];
  };

function isInside(
  inner: NonNullable<ReturnType<typeof parseCIDR>>,
  outer: NonNullable<ReturnType<typeof parseCIDR>>,
): boolean {
  if (inner.address.family !== outer.address.family || inner.prefix <= outer.prefix) return false;
  const shift = BigInt((outer.address.family === 4 ? 32 : 128) - outer.prefix);
  return inner.network >> shift === outer.network >> shift;
}

const peerRule =
  ({ oldCIDRs, selectorRules }: KeptOfPolicy): Rule<NetworkPolicyPeer> =>
  ({ ipBlock, namespaceSelector, podSelector }, path) => {
    const errors = [
      ...validateLabelSelector(podSelector, path.child('podSelector'), selectorRules),
      ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), selectorRules),
      ...present(blockRule(oldCIDRs))(ipBlock, path.child('ipBlock')),
    ];
    const selects = podSelector !== undefined || namespaceSelector !== undefined;
    if (!selects && ipBlock === undefined) errors.push(required(path, 'must specify a peer'));
    else if (selects && ipBlock !== undefined)
      errors.push(forbiddenValue(path, 'may not specify both ipBlock and another peer'));
    return errors;
  };

/** What an update may keep of the stored policy's mistakes. */
interface KeptOfPolicy {
  readonly oldCIDRs: ReadonlySet<string>;
  readonly selectorRules?: LabelSelectorRules;
}

/** Rules of network policies (ValidateNetworkPolicySpec of pkg/apis/networking/validation, 1.36). */
export function validateNetworkPolicy(
  { spec }: NetworkPolicy,
  kept: KeptOfPolicy = { oldCIDRs: new Set() },
): FieldError[] {
  const {
    egress,
    ingress,
    podSelector,
    policyTypes: types = [],
  } = (spec ?? {}) as Partial<NonNullable<NetworkPolicy['spec']>>;
  const rules = <T extends { ports?: NetworkPolicyPort[] }>(
    list: readonly T[] | undefined,
    direction: 'ingress' | 'egress',
    peers: (rule: T) => readonly NetworkPolicyPeer[] | undefined,
  ): FieldError[] =>
    (list ?? []).flatMap((rule, i) => {
      const path = specPath.child(direction).index(i);
      return [
        ...items(portRule)(rule.ports, path.child('ports')),
        ...items(peerRule(kept))(peers(rule), path.child(direction === 'ingress' ? 'from' : 'to')),
      ];
    });
  const errors = [
    ...validateLabelSelector(podSelector, specPath.child('podSelector'), kept.selectorRules),
    ...rules(ingress, 'ingress', ({ from }) => from),
    ...rules(egress, 'egress', ({ to }) => to),
  ];
  const path = specPath.child('policyTypes');
  if (types.length > policyTypes.length)
    return [...errors, invalidValue(path, types, 'may not specify more than two policyTypes')];
  return [...errors, ...items(oneOfIfSet(policyTypes))(types, path)];
}

/** CIDRs and values of selectors that are malformed by today's rules may stay (ValidateNetworkPolicyUpdate). */
export function validateNetworkPolicyUpdate(policy: NetworkPolicy, old: NetworkPolicy): FieldError[] {
  const peers = [
    ...(old.spec?.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(old.spec?.egress ?? []).flatMap(({ to = [] }) => to),
  ];
  return validateNetworkPolicy(policy, {
    oldCIDRs: new Set(
      peers.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock.cidr, ...(ipBlock.except ?? [])])),
    ),
    selectorRules: keptSelectorRules([old.spec?.podSelector]),
  });
}
