import { HistogramCell, histogramSamples, type MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ComparisonPath } from '../request/request-context.ts';
import type { MetricsTarget, ServerRequestContext } from '../request/server-request-context.ts';
import type { Labels } from './labels.ts';

/** 50 kB, and 100 kB more each time. */
const bodyBuckets = Array.from({ length: 31 }, (_, i) => 50_000 + i * 100_000);
const comparisonBuckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];
const validationBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const fieldValidations: ReadonlySet<string> = new Set(['Ignore', 'Strict', 'Warn']);

interface BodySizes {
  readonly labels: Labels;
  readonly sizes: HistogramCell;
}

/** What the reference counts of requests besides how many there are and how long they take (endpoints/metrics, 1.36). */
export class RequestDetails {
  /** By group, resource and verb. */
  readonly #bodies = new Map<string, BodySizes>();
  readonly #bodiesOf = new WeakMap<MetricsTarget, Map<string, HistogramCell>>();
  readonly #comparisons = new Map<ComparisonPath, HistogramCell>();
  readonly #outlived = new Map<string, { readonly labels: Labels; count: number }>();
  readonly #fieldValidations = new Set<string>();

  bodyRead({ metricsTarget, requestInfo: { verb } }: ServerRequestContext, bytes: number): void {
    if (metricsTarget === undefined) return;
    let cells = this.#bodiesOf.get(metricsTarget);
    if (cells === undefined) this.#bodiesOf.set(metricsTarget, (cells = new Map()));
    let cell = cells.get(verb);
    if (cell === undefined) cells.set(verb, (cell = this.#bodyCell(metricsTarget, verb)));
    cell.observe(bytes);
  }

  timestampsCompared(path: ComparisonPath, seconds: number): void {
    let cell = this.#comparisons.get(path);
    if (cell === undefined) this.#comparisons.set(path, (cell = new HistogramCell(comparisonBuckets)));
    cell.observe(seconds);
  }

  outlived(source: string, status: string): void {
    const key = `${source} ${status}`;
    const counted = this.#outlived.get(key);
    if (counted === undefined) this.#outlived.set(key, { labels: { source, status }, count: 1 });
    else counted.count++;
  }

  /** How strictly fields were to be checked, whatever the request was. */
  fieldsValidated({ query, search }: ServerRequestContext): void {
    if (!search.includes('fieldValidation')) this.#fieldValidations.add('');
    else {
      const [value = '', ...more] = query.getAll('fieldValidation');
      this.#fieldValidations.add(
        more.length === 0 && (value === '' || fieldValidations.has(value)) ? value : 'invalid',
      );
    }
  }

  #bodyCell({ group, resource }: MetricsTarget, requestVerb: string): HistogramCell {
    const verb = requestVerb === 'deletecollection' ? 'delete_collection' : requestVerb;
    const key = `${group}/${resource}/${verb}`;
    let body = this.#bodies.get(key);
    if (body === undefined) {
      body = { labels: { group, resource, verb }, sizes: new HistogramCell(bodyBuckets) };
      this.#bodies.set(key, body);
    }
    return body.sizes;
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    const bodies = this.#bodies;
    registry.collected(
      {
        name: 'apiserver_request_body_size_bytes',
        type: 'histogram',
        help: '[ALPHA] Apiserver request body size in bytes broken out by resource and verb.',
      },
      function* () {
        for (const { labels, sizes } of bodies.values())
          yield* histogramSamples('apiserver_request_body_size_bytes', labels, sizes);
      },
    );
    const comparisons = this.#comparisons;
    registry.collected(
      {
        name: 'apiserver_request_timestamp_comparison_time',
        type: 'histogram',
        help: '[ALPHA] Time taken for comparison of old vs new objects in UPDATE or PATCH requests',
      },
      function* () {
        for (const [path, cell] of comparisons)
          yield* histogramSamples('apiserver_request_timestamp_comparison_time', { code_path: path }, cell);
      },
    );
    const outlived = this.#outlived;
    registry.collected(
      {
        name: 'apiserver_request_post_timeout_total',
        type: 'counter',
        help:
          'Tracks the activity of the request handlers after the associated requests have been timed out by the ' +
          'apiserver',
      },
      function* () {
        for (const { count, labels } of outlived.values()) yield { value: count, labels };
      },
    );
    const seen = this.#fieldValidations;
    // The reference names what it has seen, and observes nothing (MonitorRequest, 1.36).
    const nothing = new HistogramCell(validationBuckets);
    registry.collected(
      {
        name: 'field_validation_request_duration_seconds',
        type: 'histogram',
        help: '[ALPHA] Response latency distribution in seconds for each field validation value',
      },
      function* () {
        for (const value of seen)
          yield* histogramSamples('field_validation_request_duration_seconds', { field_validation: value }, nothing);
      },
    );
  }
}
