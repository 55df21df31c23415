import { minorOf as releaseMinor } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '@kubechain/apiserver/resources';
import type { MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { minorOf } from './level-version.ts';
import type { LevelVersion } from './level-version.ts';

/** What a request is, as far as it is counted. */
type Counted = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'>;

/** `pod_security_*` (pod-security-admission/metrics, 1.36). */
export class PodSecurityMetrics {
  readonly #evaluations: ValueFamily;
  readonly #exemptions: ValueFamily;
  readonly #errors: ValueFamily;
  readonly #newestMinor: number;

  /** @param release of the server, `1.36`: versions of policies beyond it are counted together */
  constructor(registry: MetricRegistry, release: string) {
    this.#newestMinor = releaseMinor(release);
    this.#evaluations = registry.counter(
      'pod_security_evaluations_total',
      '[ALPHA] Number of policy evaluations that occurred, not counting ignored or exempt requests.',
      ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource'],
    );
    this.#exemptions = registry.counter(
      'pod_security_exemptions_total',
      '[ALPHA] Number of exempt requests, not counting ignored or out of scope requests.',
      ['request_operation', 'resource', 'subresource'],
    );
    this.#errors = registry.counter(
      'pod_security_errors_total',
      '[ALPHA] Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted ' +
        'profile being used for evaluation.',
      ['fatal', 'request_operation', 'resource', 'subresource'],
    );
    // What is met most is there before it has happened.
    for (const operation of ['create', 'update']) {
      this.#evaluations.cell('allow', 'privileged', 'latest', 'enforce', operation, 'pod', '').set(0);
      this.#exemptions.cell(operation, 'pod', '').set(0);
      this.#exemptions.cell(operation, 'controller', '').set(0);
    }
  }

  evaluated(
    request: Counted,
    {
      decision,
      mode,
      policy,
    }: { decision: 'allow' | 'deny'; mode: 'audit' | 'enforce' | 'warn'; policy: LevelVersion },
  ): void {
    this.#evaluations.cell(decision, policy.level, this.#versionOf(policy), mode, ...labelsOf(request)).inc();
  }

  exempted(request: Counted): void {
    this.#exemptions.cell(...labelsOf(request)).inc();
  }

  failed(request: Counted, fatal: boolean): void {
    this.#errors.cell(String(fatal), ...labelsOf(request)).inc();
  }

  /** What is privileged is so in all versions. */
  #versionOf({ level, version }: LevelVersion): string {
    if (version === 'latest' || level === 'privileged') return 'latest';
    return minorOf(version) > this.#newestMinor ? 'future' : version;
  }
}

function labelsOf({ operation, resource: { group, resource }, subresource }: Counted): readonly string[] {
  const core = group === '' ? { pods: 'pod', namespaces: 'namespace' }[resource] : undefined;
  return [operation.toLowerCase(), core ?? 'controller', subresource];
}
