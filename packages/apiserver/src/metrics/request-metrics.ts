import type { MetricsTarget, RequestCounter, ServerRequestContext } from '../request/server-request-context.ts';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ComparisonPath } from '../request/request-context.ts';
import type { Labels } from './labels.ts';
import { RequestCell, requestFamilies } from './request-cell.ts';
import { RequestDetails } from './request-details.ts';
import { scopeOf } from './request-scope-label.ts';

const connectSubresources: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const knownVerbs: ReadonlySet<string> = new Set([
  'APPLY',
  'CONNECT',
  'CREATE',
  'DELETE',
  'DELETECOLLECTION',
  'GET',
  'LIST',
  'PATCH',
  'POST',
  'PUT',
  'UPDATE',
  'WATCH',
  'WATCHLIST',
]);
/** So many combinations of labels, before refused requests make no new ones. */
const maxDroppedCells = 5_000;

/**
 * The reference's request metrics (endpoints/metrics/metrics.go): apiserver_request_total, …_duration_seconds and their
 * kin.
 */
export class RequestMetrics implements RequestCounter {
  /** By labels: resources that come back go on counting. */
  readonly #cells = new Map<string, RequestCell>();
  /** Target → verb, scope and dry run → cell; weak, because custom resources come and go. */
  readonly #byTarget = new WeakMap<MetricsTarget, Map<string, RequestCell>>();
  readonly #terminations = new Map<number, number>();
  readonly #aborts = new Map<string, { readonly labels: Labels; count: number }>();
  readonly #deprecated = new Map<string, Labels>();
  readonly #details = new RequestDetails();
  #running = 0;

  /** All requests that are being answered, long-running ones included. */
  get running(): number {
    return this.#running;
  }

  /** The context takes this counter along: whichever server answers counts here, where the request came in. */
  started(context: ServerRequestContext): void {
    context.metrics = this;
    this.#running++;
  }

  /** The request has found its route: from here on it has labels. */
  routed(context: ServerRequestContext, target: MetricsTarget): void {
    context.metricsTarget = target;
    if (context.longRunning) {
      const cell = this.#cell(context);
      if (cell !== undefined) cell.running++;
    }
  }

  finished(context: ServerRequestContext, code: number, durationMs: number): void {
    this.#running--;
    const cell = this.#cell(context);
    if (cell === undefined) return;
    if (context.longRunning) cell.running--;
    this.#details.fieldsValidated(context);
    const seconds = durationMs / 1_000;
    cell.durations.observe(seconds);
    if (cell.dryRun === '') cell.sli.observe((durationMs - context.queuedMs) / 1_000);
    const length = Number(context.response.getHeader('content-length'));
    if (length >= 0) cell.sizes.observe(length);
    cell.answered(code);
    if (context.abortReason?.kind === 'deadline') this.#countAbort(cell);
  }

  /** A request that the server refused or ended in self-defence. */
  terminated(code: number): void {
    this.#terminations.set(code, (this.#terminations.get(code) ?? 0) + 1);
  }

  /** A request that flow control refused: it is counted, though nobody has looked for its route. */
  dropped(context: ServerRequestContext): void {
    this.terminated(429);
    const {
      requestInfo: { isResourceRequest, apiGroup, apiVersion, resource, subresource },
    } = context;
    const target = isResourceRequest
      ? { group: apiGroup, version: apiVersion, resource, subresource }
      : { group: '', version: '', resource: '', subresource: '' };
    const scope = scopeOf(context);
    // Clients can make names up.
    const cell = this.#cellOf(
      target,
      { verb: verbOf(context, scope), scope, dryRun: dryRunOf(context) },
      maxDroppedCells,
    );
    if (cell === undefined) return;
    cell.answered(429);
  }

  bodyRead(context: ServerRequestContext, bytes: number): void {
    this.#details.bodyRead(context, bytes);
  }

  timestampsCompared(path: ComparisonPath, seconds: number): void {
    this.#details.timestampsCompared(path, seconds);
  }

  outlived(source: 'timeout-handler' | 'rest-handler', status: 'ok' | 'error' | 'pending'): void {
    this.#details.outlived(source, status);
  }

  /** A deprecated version was asked for. */
  deprecated({ requestInfo }: ServerRequestContext, removedRelease: string): void {
    const { apiGroup: group, apiVersion: version, resource, subresource } = requestInfo;
    const labels = { group, removed_release: removedRelease, resource, subresource, version };
    this.#deprecated.set(JSON.stringify(labels), labels);
  }

  #countAbort(cell: RequestCell): void {
    const { component: _component, ...labels } = cell.labels;
    const key = JSON.stringify(labels);
    const counted = this.#aborts.get(key);
    if (counted === undefined) this.#aborts.set(key, { labels, count: 1 });
    else counted.count++;
  }

  #cell(context: ServerRequestContext): RequestCell | undefined {
    const target = context.metricsTarget;
    if (target === undefined) return undefined;
    let cells = this.#byTarget.get(target);
    if (cells === undefined) this.#byTarget.set(target, (cells = new Map()));
    const scope = scopeOf(context);
    const verb = verbOf(context, scope);
    const dryRun = dryRunOf(context);
    const key = `${verb} ${scope} ${dryRun}`;
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = this.#cellOf(target, { verb, scope, dryRun }, Infinity);
      if (cell !== undefined) cells.set(key, cell);
    }
    return cell;
  }

  /** @param limit as many cells there may be for a new one to be made */
  #cellOf(
    { group, resource, subresource, version }: MetricsTarget,
    { verb, scope, dryRun }: { readonly verb: string; readonly scope: string; readonly dryRun: string },
    limit: number,
  ): RequestCell | undefined {
    const key = JSON.stringify([group, resource, scope, subresource, verb, version, dryRun]);
    let cell = this.#cells.get(key);
    if (cell === undefined && this.#cells.size < limit) {
      cell = new RequestCell({ component: 'apiserver', group, resource, scope, subresource, verb, version }, dryRun);
      this.#cells.set(key, cell);
    }
    return cell;
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    this.#details.register(registry);
    const cells = this.#cells;
    for (const { samples, ...family } of requestFamilies)
      registry.collected(family, function* () {
        for (const cell of cells.values()) yield* samples(cell);
      });
    const deprecated = this.#deprecated;
    registry.collected(
      {
        name: 'apiserver_requested_deprecated_apis',
        type: 'gauge',
        help:
          '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, ' +
          'subresource, and removed_release.',
      },
      function* () {
        for (const labels of deprecated.values()) yield { value: 1, labels };
      },
    );
    const terminations = this.#terminations;
    registry.collected(
      {
        name: 'apiserver_request_terminations_total',
        type: 'counter',
        help: 'Number of requests which apiserver terminated in self-defense.',
      },
      function* () {
        for (const [code, count] of terminations)
          yield { value: count, labels: { code: String(code), component: 'apiserver' } };
      },
    );
    const aborts = this.#aborts;
    registry.collected(
      {
        name: 'apiserver_request_aborts_total',
        type: 'counter',
        help:
          'Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, ' +
          'resource, subresource and scope',
      },
      function* () {
        for (const { labels, count } of aborts.values()) yield { value: count, labels };
      },
    );
  }
}

/** Label `dry_run`. */
function dryRunOf({ search, query }: ServerRequestContext): string {
  if (!search.includes('dryRun')) return '';
  return query.get('dryRun') === 'All' ? 'All' : 'invalid';
}

/** GET, LIST, WATCH, APPLY, CONNECT, or the HTTP method; OTHER for methods of a client's own invention. */
function verbOf({ request, requestInfo }: ServerRequestContext, scope: string): string {
  if (requestInfo.verb === 'watch') return 'WATCH';
  if (requestInfo.subresource !== '' && connectSubresources.has(requestInfo.subresource)) return 'CONNECT';
  const method = request.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') return scope === 'resource' || scope === '' ? 'GET' : 'LIST';
  if (method === 'PATCH' && request.headers['content-type'] === 'application/apply-patch+yaml') return 'APPLY';
  return knownVerbs.has(method) ? method : 'OTHER';
}
