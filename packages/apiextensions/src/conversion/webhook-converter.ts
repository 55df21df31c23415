import {
  FormatError,
  countValues,
  decodeJSON,
  decodeYAML,
  encodeJSON,
  goQuote,
  isDecodeError,
  limits,
  parseGroupVersion,
  gvkOf,
  messageOf,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { traced, type SpanAttributes } from '@kubechain/shared-storage/tracing';
import { Logger } from '@kubechain/apiserver/logging';
import { callFailureOf, webhookSchemeName } from '@kubechain/apiserver/resources';
import type { WebhookClient } from '@kubechain/apiserver/resources';
import { ConversionError, type ConversionEnd, type ConversionFailureReason } from './conversion-end.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import type { ObjectConverter } from './object-converter.ts';
import { readConverted } from './converted-object.ts';

const log = new Logger('conversion');
const reviewGroup = 'apiextensions.k8s.io';
/** The reference gives conversions so long. */
const timeoutMs = 30_000;
/** An answer may have so many times the bytes of what was asked, as objects of another version may be larger. */
const convertedTimes = 4;
const supported: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

export interface WebhookConverterOptions {
  readonly client: Pick<WebhookClient, 'post'>;
  /** What the webhook understands, in order of preference. */
  readonly reviewVersions: readonly string[];
  readonly newUID: () => string;
  /** Of whose objects, for metrics and logs. */
  readonly crd: string;
  readonly metrics: ConversionMetrics;
}

interface ConversionReview {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly convertedObjects?: readonly unknown[] | null;
    readonly result?: { readonly status?: string; readonly message?: string };
  };
}

/**
 * Strategy `Webhook`: one ConversionReview for all objects that are not in the target version yet. What comes back
 * must be the same objects; of their metadata only labels and annotations may differ
 * (apiserver/conversion/webhook_converter.go, 1.36).
 */
export class WebhookConverter implements ObjectConverter {
  readonly #options: WebhookConverterOptions;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
  }

  convert(objects: readonly KubeObject[], apiVersion: string): readonly KubeObject[] | Promise<readonly KubeObject[]> {
    return objects.every((object) => object.apiVersion === apiVersion) ? objects : this.#convert(objects, apiVersion);
  }

  async #convert(objects: readonly KubeObject[], apiVersion: string): Promise<readonly KubeObject[]> {
    const startedMs = performance.now();
    const from = objects.find((object) => object.apiVersion !== apiVersion) ?? {};
    const ended = (end: ConversionEnd, error?: unknown): void => {
      const { crd, metrics } = this.#options;
      const seconds = (performance.now() - startedMs) / 1000;
      const to = gvkOf({ apiVersion }).version;
      metrics.ended({ crd, from: gvkOf(from).version, to, seconds }, end);
      if (end === 'converted') {
        if (log.enabled(5)) log.info('Conversion webhook call ended', { crd, reason: end, to, seconds }, 5);
      } else
        log.warning('Failed calling conversion webhook', { crd, reason: end, to, seconds, error: messageOf(error) });
    };
    try {
      const converted = await this.#callFor(objects, apiVersion);
      ended('converted');
      return converted;
    } catch (error) {
      ended(error instanceof ConversionError ? error.end : 'invalid_object', error);
      throw error;
    }
  }

  async #callFor(objects: readonly KubeObject[], apiVersion: string): Promise<readonly KubeObject[]> {
    const foreign = objects.filter((object) => object.apiVersion !== apiVersion);
    const gvk = describeKind(foreign[0] ?? {});
    const call = `conversion webhook for ${gvk}`;
    const version = this.#options.reviewVersions.find((candidate) => supported.has(candidate));
    if (version === undefined) throw new ConversionError('unsupported', 'no supported conversion review versions');
    const converted = await this.#ask({ call, version, apiVersion }, foreign.map(withoutResourceVersion));
    if (converted.length !== foreign.length)
      throw new ConversionError(
        'partial_answer',
        `${call} returned ${converted.length} objects, expected ${foreign.length}`,
      );
    let next = 0;
    return objects.map((object) =>
      object.apiVersion === apiVersion
        ? object
        : readConverted(object, converted[next], { call, apiVersion, index: next++ }),
    );
  }

  async #ask(
    { apiVersion, call, version }: { readonly call: string; readonly version: string; readonly apiVersion: string },
    objects: readonly KubeObject[],
  ): Promise<readonly unknown[]> {
    const uid = this.#options.newUID();
    // The empty response is there because the reference encodes its Go type.
    const review = {
      kind: 'ConversionReview',
      apiVersion: `${reviewGroup}/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    let answered = false;
    const attributes = (): SpanAttributes => ({
      'custom-resource-definition': this.#options.crd,
      'desired-api-version': apiVersion,
      'object-count': objects.length,
      UID: uid,
    });
    try {
      return await traced('Call conversion webhook', attributes, async (span) => {
        const asked = Buffer.from(encodeJSON(review as unknown as KubeObject));
        const maxBytes = Math.min(
          limits.webhookAnswer.value,
          Math.max(limits.requestBody.value, convertedTimes * asked.length),
        );
        const body = await this.#options.client.post(asked.toString('utf8'), { timeoutMs, maxBytes });
        answered = true;
        span?.event('Request completed');
        refuseManyConverted(body, asked);
        return convertedObjects(await readReview(body), version === 'v1' ? uid : undefined);
      });
    } catch (cause) {
      throw new ConversionError(endOf(cause, answered), `${call} failed: ${messageOf(cause)}`, {
        cause,
      });
    }
  }
}

/** What is read of an answer is in proportion to what was asked. @throws FormatError */
function refuseManyConverted(body: Buffer, asked: Buffer): void {
  const { bodyValues, convertedValues } = limits;
  // Each has two bytes at the least.
  if (body.length <= 2 * bodyValues.value) return;
  const most = Math.max(bodyValues.value, convertedValues.value * countValues(asked));
  if (countValues(body) > most) throw new FormatError(`the answer has more values than are read, which is ${most}`);
}

/** The answer's review: JSON, or YAML, which Go's clients read as well. @throws FormatError */
async function readReview(body: Buffer): Promise<ConversionReview> {
  try {
    const { object } = body[0] === 0x7b ? decodeJSON(body, undefined, {}) : await decodeYAML(body, undefined, {});
    const { group, version } = parseGroupVersion(object.apiVersion ?? '') ?? { group: '', version: '' };
    const known = group === reviewGroup && supported.has(version) && object.kind === 'ConversionReview';
    if (!known)
      throw new FormatError(
        `no kind ${goQuote(object.kind ?? '')} is registered for version ${goQuote(object.apiVersion ?? '')} ` +
          `in scheme ${goQuote(webhookSchemeName)}`,
      );
    return object as ConversionReview;
  } catch (error) {
    throw isDecodeError(error) ? new FormatError(error.message) : error;
  }
}

/** `uid`: undefined for v1beta1, whose answers are not checked for it. */
function convertedObjects(
  { apiVersion, kind, response }: ConversionReview,
  uid: string | undefined,
): readonly unknown[] {
  const expected = `${reviewGroup}/v1`;
  if (uid !== undefined && apiVersion !== expected)
    throw new FormatError(
      `expected webhook response of ${expected}, Kind=ConversionReview, got ${apiVersion ?? ''}, Kind=${kind ?? ''}`,
    );
  if (response === undefined || response === null) throw new FormatError('no response provided');
  if (uid !== undefined && (response.uid ?? '') !== uid)
    throw new FormatError(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  const { message = '', status = '' } = response.result ?? {};
  if (status !== 'Success')
    throw new NotConverted(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  return response.convertedObjects ?? [];
}

/** The webhook's own words for why there is nothing. */
class NotConverted extends Error {
  override readonly name = 'NotConverted';
}

function endOf(error: unknown, answered: boolean): ConversionFailureReason {
  if (!answered) return callFailureOf(error);
  return error instanceof NotConverted ? 'failed' : 'invalid_answer';
}

function withoutResourceVersion(object: KubeObject): KubeObject {
  if (object.metadata?.resourceVersion === undefined) return object;
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function describeKind(object: KubeObject): string {
  return `${object.apiVersion ?? ''}, Kind=${object.kind ?? ''}`;
}
