import type { EgressSelector } from '../egress/egress-selector.ts';
import { messageOf, sleep, type TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { FileContent } from '../files/file-content.ts';
import { Logger } from '../logging/logger.ts';
import { ConfigurationMetrics } from '../metrics/configuration-metrics.ts';
import { apiServerID } from '../options/api-server-id.ts';
import { AuthenticationConfigurationError } from './oidc/authentication-configuration-error.ts';
import { checkIssuerEgress } from './oidc/check-issuer-egress.ts';
import { decodeAuthenticationConfiguration } from './oidc/authentication-configuration.ts';
import type { IssuerAuthenticators } from './oidc/issuer-authenticators.ts';
import { readAuthentication, type ConfiguredAuthentication } from './oidc/read-authentication.ts';

const log = new Logger('oidc');

/** Between two looks at the file; the reference is told by its kernel, and looks each minute besides. */
const lookMs = 1_000;
/** How long the documents of new issuers may take before that is told. */
const patienceMs = 60_000;

/** A file of --authentication-config as it was at the start. */
export interface AuthenticationFile {
  readonly path: string;
  readonly text: string;
  readonly configured: ConfiguredAuthentication;
}

export interface FollowAuthenticationOptions {
  /** Whose issuers follow the file. */
  readonly issuers: Pick<IssuerAuthenticators, 'replace'>;
  /** Issuers that are this server's own. */
  readonly disallowed: readonly string[];
  readonly clock: TimerClock;
  readonly registry: MetricRegistry;
  /** Through which proxies issuers may be reached. */
  readonly egress: EgressSelector | undefined;
}

/**
 * Replaces issuers when the file changes. What cannot be used is logged, and what was before stays; who may be
 * anonymous stays as it was at the start (kubeapiserver/options/authentication.go, 1.36). Returns how to stop.
 */
export function followAuthentication(file: AuthenticationFile, options: FollowAuthenticationOptions): () => void {
  const { clock, disallowed, egress, issuers, registry } = options;
  const metrics = new ConfigurationMetrics({
    registry,
    subject: 'authentication',
    server: apiServerID(),
    now: () => clock.now(),
  });
  metrics.configured(file.text, { reloaded: false });
  const stopped = new AbortController();
  let known = file.text;
  const failed = (error: unknown): void => {
    metrics.reloadFailed();
    log.error('the authentication configuration cannot be used; what was before stays', { error: messageOf(error) });
  };
  const reload = async (text: string): Promise<void> => {
    const next = readAuthentication(decodeAuthenticationConfiguration(text), disallowed);
    if (!isDeepStrictEqual(next.anonymous, file.configured.anonymous))
      throw new AuthenticationConfigurationError('anonymous: Forbidden: changed from initial configuration file');
    checkIssuerEgress(next.issuers, egress);
    const replaced = issuers.replace(next.issuers);
    const inTime = await Promise.race([replaced, sleep(clock, patienceMs, stopped.signal)]);
    if (inTime === undefined && !stopped.signal.aborted) failed(new Error('documents of issuers cannot be read yet'));
    if (await replaced) metrics.configured(text, { reloaded: true });
  };
  const stop = new FileContent({ paths: [file.path], read: () => readFileSync(file.path, 'utf8') }).follow((text) => {
    if (text === known) return;
    known = text;
    reload(text).catch(failed);
  }, lookMs);
  return () => {
    stopped.abort();
    stop();
  };
}
