import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '@kubechain/apimachinery';
import { writeTextError } from '../responses/write-text.ts';
import { serverContext } from '../request/server-context.ts';
import { Logger } from '../logging/logger.ts';
import type { NonResourceMux } from '../mux/non-resource-mux.ts';
import type { HealthCheck, HealthCheckResult, HealthEndpoint } from './health-check.ts';
import { HealthMetrics } from './health-metrics.ts';
import { renderHealthReport } from './health-report.ts';
import { inReferenceOrder } from './reference-order.ts';

const log = new Logger('health');

/** Ms that a check may take, unless it says more. */
const checkTimeoutMs = 2_000;
/** Ms beyond its own checks that a server waits for the next one's: a silent link must not make the report hang. */
const delegateExtraMs = 1_000;

/** Health of the servers behind this one. */
export type DelegateHealth = (endpoint: HealthEndpoint, signal: AbortSignal) => Promise<readonly HealthCheckResult[]>;

/** What health endpoints are made of. */
export interface HealthEndpointsOptions {
  readonly mux: NonResourceMux;
  /** Milliseconds since the epoch; for grace periods. */
  readonly now: () => number;
  /** Results of the delegate, which are put in line with the server's own. */
  readonly delegate?: { readonly name: string; readonly health: DelegateHealth } | undefined;
}

/** One check under one endpoint. */
interface Installed {
  readonly check: HealthCheck;
  readonly failsFromMs: number;
}

const endpoints: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/**
 * `/healthz`, `/livez` and `/readyz` with their checks, and a path per check, in the reference's texts
 * (server/healthz). Checks may be added at any time. Reasons of failures go to the log and to the path of the check.
 */
export class HealthEndpoints {
  readonly #options: HealthEndpointsOptions;
  readonly #checks: Readonly<Record<HealthEndpoint, Installed[]>> = { healthz: [], livez: [], readyz: [] };
  /** Of the reports that were asked for. */
  readonly metrics = new HealthMetrics();
  #onFirstReady: (() => void) | undefined = undefined;

  constructor(options: HealthEndpointsOptions) {
    this.#options = options;
    for (const endpoint of endpoints) {
      options.mux.handle(`/${endpoint}`, (request, response) => {
        this.#serve(request, response, endpoint).catch((error: unknown) => {
          writeTextError(response, 500, `internal server error: ${String(error)}`);
        });
      });
    }
  }

  /** Adds a check to some endpoints; `livezGraceMs` keeps a failure out of livez for that long from now. */
  add(
    check: HealthCheck,
    options: { readonly to?: readonly HealthEndpoint[]; readonly livezGraceMs?: number } = {},
  ): void {
    for (const endpoint of options.to ?? endpoints) {
      const failsFromMs =
        endpoint === 'livez' && options.livezGraceMs !== undefined ? this.#options.now() + options.livezGraceMs : 0;
      const installed = { check, failsFromMs };
      this.#checks[endpoint].push(installed);
      this.#options.mux.handle(`/${endpoint}/${check.name}`, (request, response) => {
        void this.#serveOne(request, response, installed);
      });
    }
  }

  /** Called once, when readyz succeeds for the first time. */
  onFirstReady(listener: () => void): void {
    this.#onFirstReady = listener;
  }

  /** All results of an endpoint, the delegate's included; checks in `skip` are not run. */
  async results(
    endpoint: HealthEndpoint,
    signal: AbortSignal,
    skip: (check: HealthCheck) => boolean = () => false,
  ): Promise<readonly HealthCheckResult[]> {
    const longestMs = Math.max(...this.#checks[endpoint].map(({ check }) => timeoutOf(check)), checkTimeoutMs);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestMs + delegateExtraMs)]);
    const [own, delegated] = await Promise.all([
      Promise.all(
        this.#checks[endpoint].map(async (installed) => ({
          installed,
          result: await this.#run(installed, signal, skip(installed.check)),
        })),
      ),
      this.#delegateResults(endpoint, bounded),
    ]);
    const results = new Map<string, HealthCheckResult>();
    for (const { result } of own) results.set(result.name, result);
    // What both have (ping, log, shutdown) is this server's to tell, unless the one behind is unwell.
    for (const result of delegated) if (!result.ok || !results.has(result.name)) results.set(result.name, result);
    return inReferenceOrder([...results.values()]);
  }

  async #delegateResults(endpoint: HealthEndpoint, signal: AbortSignal): Promise<readonly HealthCheckResult[]> {
    const { delegate } = this.#options;
    if (delegate === undefined) return [];
    try {
      return await delegate.health(endpoint, signal);
    } catch (error) {
      // Restarting this process would not bring the next one back, so liveness does not depend on it.
      return endpoint === 'livez' ? [] : [{ name: `delegate/${delegate.name}`, ok: false, error }];
    }
  }

  async #run({ check, failsFromMs }: Installed, signal: AbortSignal, skip: boolean): Promise<HealthCheckResult> {
    const named = check.group === undefined ? { name: check.name } : { name: check.name, group: check.group };
    if (skip || failsFromMs > this.#options.now()) return { ...named, ok: true };
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutOf(check))]);
    try {
      const pending = check.check(bounded);
      if (pending !== undefined) await withinSignal(pending, bounded);
      return { ...named, ok: true };
    } catch (error) {
      return { ...named, ok: false, error };
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse, endpoint: HealthEndpoint): Promise<void> {
    const { query, signal } = serverContext(request);
    const excluded = new Set(query.getAll('exclude'));
    const isExcluded = ({ group, name }: Pick<HealthCheck, 'group' | 'name'>): boolean =>
      excluded.has(name) || (group !== undefined && excluded.has(group));
    const results = await this.results(endpoint, signal, isExcluded);
    this.metrics.observe(
      endpoint,
      results.filter((result) => !isExcluded(result)),
    );
    const { text, failed } = renderHealthReport(results, { endpoint, excluded });
    if (failed.length > 0) {
      if (log.enabled(2))
        log.info(`${endpoint} check failed`, Object.fromEntries(failed.map(({ name, error }) => [name, error])), 2);
      writeTextError(response, 500, `${text}${endpoint} check failed`);
      return;
    }
    if (endpoint === 'readyz') {
      this.#onFirstReady?.();
      this.#onFirstReady = undefined;
    }
    response.setHeader('X-Content-Type-Options', 'nosniff');
    writeOK(response, query.has('verbose') ? `${text}${endpoint} check passed\n` : 'ok');
  }

  async #serveOne(request: IncomingMessage, response: ServerResponse, installed: Installed): Promise<void> {
    const { ok, error } = await this.#run(installed, serverContext(request).signal, false);
    if (ok) writeOK(response, 'ok');
    else writeTextError(response, 500, `internal server error: ${messageOf(error)}`);
  }
}

function timeoutOf({ timeoutMs = checkTimeoutMs }: HealthCheck): number {
  return Math.max(timeoutMs, checkTimeoutMs);
}

/** Rejects when the signal aborts first; a check that ends with it tells why, any other goes on alone. */
function withinSignal(pending: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      setImmediate(() => {
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    pending.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

function writeOK(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.writeHead(200);
  response.end(body);
}
