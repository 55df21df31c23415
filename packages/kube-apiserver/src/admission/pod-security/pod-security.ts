import {
  aggregateMessage,
  forbidden,
  goQuote,
  internalError,
  invalid,
  notFound,
  messageOf,
} from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  NamespaceLister,
} from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ObjectLookup } from '../object-lookup.ts';
import type { CheckedPod, Violation } from './check.ts';
import { detailsText, evaluatePod } from './evaluate.ts';
import { warningsOfExistingPods } from './existing-pods.ts';
import { isStricter, levelVersionText, sameLevelVersion } from './level-version.ts';
import type { LevelVersion } from './level-version.ts';
import type { PodSecurityMetrics } from './pod-security-metrics.ts';
import { makesPods, podTemplateOf } from './pod-templates.ts';
import { isSignificantUpdate } from './pod-update.ts';
import { noPodSecurityConfiguration } from './configuration.ts';
import type { Exemptions, PodSecurityConfiguration } from './configuration.ts';
import { ignoredPolicyWarning, labelPrefix, policyOf } from './policy.ts';
import type { ParsedPolicy, Policy } from './policy.ts';

/** Subresources of pods that are no pods, or leave the spec alone. Others are taken for pods. */
const ignoredSubresources: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

export interface PodSecurityOptions {
  readonly namespaces: NamespaceLister;
  readonly pods: ObjectLookup;
  readonly clock: Clock;
  /** Default: nobody is exempt, and namespaces without labels are privileged. */
  readonly configuration?: PodSecurityConfiguration;
  /** The minor version of Kubernetes whose checks are the latest. Default: all checks that there are. */
  readonly serverMinor?: number | undefined;
  /** Default: nothing is counted. */
  readonly metrics?: PodSecurityMetrics | undefined;
}

/**
 * Holds pods to the Pod Security Standards that the labels of their namespace ask for: refuses pods, and warns of and
 * audits pods and what makes pods. What namespaces without labels are held to, and who is exempt, its configuration
 * says (plugin/pkg/admission/security/podsecurity and pod-security-admission/admission, 1.36).
 */
export class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';
  readonly #namespaces: NamespaceLister;
  readonly #pods: ObjectLookup;
  readonly #clock: Clock;
  readonly #defaults: Policy;
  readonly #exemptions: Exemptions;
  readonly #metrics: PodSecurityMetrics | undefined;
  readonly #serverMinor: number | undefined;

  constructor({
    clock,
    configuration = noPodSecurityConfiguration,
    metrics,
    namespaces,
    pods,
    serverMinor,
  }: PodSecurityOptions) {
    this.#serverMinor = serverMinor;
    this.#metrics = metrics;
    this.#namespaces = namespaces;
    this.#pods = pods;
    this.#clock = clock;
    this.#defaults = configuration.defaults;
    this.#exemptions = configuration.exemptions;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const {
      resource: { group, resource },
      subresource,
    } = attributes;
    if (group === '' && resource === 'namespaces')
      return subresource === '' ? this.#validateNamespace(attributes) : undefined;
    if (group === '' && resource === 'pods')
      return ignoredSubresources.has(subresource) ? undefined : this.#validatePod(attributes);
    return subresource === '' && makesPods(attributes) ? this.#validateController(attributes) : undefined;
  }

  async #validateNamespace(attributes: AdmissionAttributes): Promise<void> {
    const { kind, name, object, oldObject, operation } = attributes;
    const { errors, policy } = policyOf(object?.metadata?.labels, this.#defaults);
    const old = operation === 'UPDATE' ? policyOf(oldObject?.metadata?.labels, this.#defaults) : undefined;
    // Labels that were wrong before do not keep others from being changed.
    if (errors.length > 0 && (old === undefined || errors.join('\n') !== old.errors.join('\n')))
      throw invalid(kind, name, errors);
    const { enforce } = policy;
    if (old !== undefined && !mayRefuseMore(enforce, old.policy.enforce)) return;
    if (this.#exemptions.namespaces.includes(name)) {
      const warning = ignoredPolicyWarning(name, {
        policy,
        defaults: this.#defaults,
        labels: object?.metadata?.labels,
      });
      if (warning !== undefined) attributes.addWarning(warning);
      return;
    }
    if (old === undefined) return;
    for (const warning of await this.#warningsOf(name, enforce)) attributes.addWarning(warning);
  }

  async #warningsOf(namespace: string, enforce: LevelVersion): Promise<readonly string[]> {
    let pods: readonly KubeObject[];
    try {
      pods = await this.#pods.list(namespace);
    } catch {
      return ['failed to list pods while checking new PodSecurity enforce level'];
    }
    const held = (pods as readonly Pod[]).filter(({ spec }) => !this.#exemptsClassOf(spec));
    return warningsOfExistingPods(held, {
      namespace,
      enforce,
      clock: this.#clock,
      serverMinor: this.#serverMinor,
    });
  }

  /** Whether nothing is held to anything here, which the audit log is told. */
  #exempts(attributes: AdmissionAttributes): boolean {
    const { namespace, user } = attributes;
    const { namespaces, usernames } = this.#exemptions;
    const reason = namespaces.includes(namespace) ? 'namespace' : usernames.includes(user.name) ? 'user' : undefined;
    if (reason !== undefined) this.#exempted(attributes, reason);
    return reason !== undefined;
  }

  #exempted(attributes: AdmissionAttributes, reason: 'namespace' | 'user' | 'runtimeClass'): void {
    this.#metrics?.exempted(attributes);
    annotate(attributes, 'exempt', reason);
  }

  #exemptsClassOf(spec: CheckedPod['spec'] | undefined): boolean {
    const name = spec?.runtimeClassName ?? '';
    return name !== '' && this.#exemptions.runtimeClasses.includes(name);
  }

  async #validatePod(attributes: AdmissionAttributes): Promise<void> {
    if (this.#exempts(attributes)) return;
    const { name, namespace, operation, resource } = attributes;
    let parsed: ParsedPolicy;
    try {
      parsed = await this.#policyOf(attributes);
    } catch (error) {
      const failure = internalError(new Error(`failed to lookup namespace ${goQuote(namespace)}`, { cause: error }));
      this.#metrics?.failed(attributes, true);
      annotate(attributes, 'error', `${failure.message}: ${messageOf(error)}`);
      throw failure;
    }
    const {
      errors,
      policy: { audit, enforce, warn },
    } = parsed;
    if (errors.length === 0 && isPrivileged(enforce) && isPrivileged(audit) && isPrivileged(warn)) {
      this.#metrics?.evaluated(attributes, { decision: 'allow', mode: 'enforce', policy: enforce });
      annotate(attributes, 'enforce-policy', 'privileged:latest');
      return;
    }
    const { metadata, spec } = attributes.object as Pod;
    if (
      spec === undefined ||
      (operation === 'UPDATE' && !isSignificantUpdate(attributes.object as Pod, attributes.oldObject as Pod))
    )
      return;
    if (this.#exemptsClassOf(spec)) {
      this.#exempted(attributes, 'runtimeClass');
      return;
    }
    const pod: CheckedPod = { ...(metadata === undefined ? {} : { metadata }), spec };
    annotate(attributes, 'enforce-policy', levelVersionText(enforce));
    const violations = evaluatePod(enforce, pod, this.#serverMinor);
    const decision = violations.length > 0 ? 'deny' : 'allow';
    this.#metrics?.evaluated(attributes, { decision, mode: 'enforce', policy: enforce });
    // Warnings would be of no use to a request that is refused.
    tell(attributes, parsed, {
      pod,
      warns: violations.length === 0,
      known: { of: enforce, violations },
      metrics: this.#metrics,
      serverMinor: this.#serverMinor,
    });
    if (violations.length > 0)
      throw forbidden(
        { group: resource.group, resource: resource.resource },
        name,
        `violates PodSecurity ${goQuote(levelVersionText(enforce))}: ${detailsText(violations)}`,
      );
  }

  async #validateController(attributes: AdmissionAttributes): Promise<void> {
    if (this.#exempts(attributes)) return;
    const { namespace } = attributes;
    let parsed: ParsedPolicy;
    try {
      parsed = await this.#policyOf(attributes);
    } catch (error) {
      this.#metrics?.failed(attributes, true);
      annotate(attributes, 'error', `failed to lookup namespace ${goQuote(namespace)}: ${messageOf(error)}`);
      return;
    }
    if (parsed.errors.length === 0 && isPrivileged(parsed.policy.audit) && isPrivileged(parsed.policy.warn)) return;
    const pod = podTemplateOf(attributes);
    if (pod === undefined) return;
    if (this.#exemptsClassOf(pod.spec)) this.#exempted(attributes, 'runtimeClass');
    else tell(attributes, parsed, { pod, warns: true, metrics: this.#metrics, serverMinor: this.#serverMinor });
  }

  async #policyOf({ namespace, signal }: AdmissionAttributes): Promise<ParsedPolicy> {
    const found = this.#namespaces.get(namespace) ?? (await this.#namespaces.getLive(namespace, signal));
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return policyOf(found.metadata?.labels, this.#defaults);
  }
}

interface Telling {
  readonly pod: CheckedPod;
  readonly serverMinor: number | undefined;
  readonly warns: boolean;
  /** What is known already of one of the levels. */
  readonly metrics: PodSecurityMetrics | undefined;
  readonly known?: { readonly of: LevelVersion; readonly violations: readonly Violation[] };
}

/** Tells the audit log and the client what the pod would violate. */
function tell(
  attributes: AdmissionAttributes,
  { errors, policy: { audit, warn } }: ParsedPolicy,
  { known, metrics, pod, serverMinor, warns }: Telling,
): void {
  const violationsOf = (level: LevelVersion): readonly Violation[] =>
    known !== undefined && sameLevelVersion(known.of, level) ? known.violations : evaluatePod(level, pod, serverMinor);
  if (errors.length > 0) {
    metrics?.failed(attributes, false);
    annotate(attributes, 'error', `Failed to parse policy: ${aggregateMessage(errors)}`);
  }
  const audited = violationsOf(audit);
  if (audited.length > 0) {
    metrics?.evaluated(attributes, { decision: 'deny', mode: 'audit', policy: audit });
    annotate(attributes, 'audit-violations', wouldViolate(audit, audited));
  }
  if (!warns) return;
  const warned = sameLevelVersion(warn, audit) ? audited : violationsOf(warn);
  if (warned.length === 0) return;
  metrics?.evaluated(attributes, { decision: 'deny', mode: 'warn', policy: warn });
  attributes.addWarning(wouldViolate(warn, warned));
}

function wouldViolate(level: LevelVersion, violations: readonly Violation[]): string {
  return `would violate PodSecurity ${goQuote(levelVersionText(level))}: ${detailsText(violations)}`;
}

/** Whether a change of what is enforced can concern pods that were fine. */
function mayRefuseMore(enforce: LevelVersion, old: LevelVersion): boolean {
  if (isPrivileged(enforce)) return false;
  return enforce.version === old.version ? isStricter(enforce.level, old.level) : true;
}

function isPrivileged({ level }: LevelVersion): boolean {
  return level === 'privileged';
}

function annotate(attributes: AdmissionAttributes, key: string, value: string): void {
  attributes.addAuditAnnotation(`${labelPrefix}${key}`, value);
}
