import { randomUUID } from 'node:crypto';
import { internalError, isStatusError, type StatusError, messageOf } from '@kubechain/apimachinery';
import { Logger } from '../../logging/logger.ts';
import type { AdmissionAttributes } from '../admission.ts';
import {
  checkedResponse,
  reviewText,
  reviewVersionOf,
  type AdmissionResponse,
  type AnsweredReview,
  type ReviewObjects,
} from './admission-review.ts';
import type { Invocation } from './invocation.ts';
import { readReview } from './read-review.ts';
import { WebhookCallError, dryRunUnsupported, webhookDenial } from './webhook-error.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

const log = new Logger('webhook');
const defaultTimeoutSeconds = 10;

export interface HookCall {
  readonly invocation: Invocation;
  readonly attributes: AdmissionAttributes;
  readonly objects: ReviewObjects;
  readonly type: 'admit' | 'validating';
  readonly metrics: WebhookMetrics;
  /** Audit annotation that says the webhook could not be asked and did not have to be. */
  readonly failedOpenKey: string;
  /** What the answer means for the object; its errors are the server's own, but for WebhookCallError. */
  readonly apply: (response: AdmissionResponse) => Promise<void>;
}

/**
 * Asks one webhook and applies what it answers.
 * @throws StatusError when it refuses, and when it cannot be asked and its failure policy is Fail
 */
export async function callHook(call: HookCall): Promise<void> {
  const {
    attributes,
    invocation: {
      hook: { webhook },
    },
    metrics,
    type,
  } = call;
  const startedAt = performance.now();
  const measured = (): { name: string; type: typeof type; operation: string; seconds: number } => ({
    name: webhook.name,
    type,
    operation: attributes.operation,
    seconds: (performance.now() - startedAt) / 1000,
  });
  try {
    await call.apply(await ask(call));
    metrics.called(measured(), { kind: 'allowed' });
  } catch (error) {
    if (error instanceof Denied) {
      metrics.called(measured(), { kind: 'denied', code: error.status.code });
      throw error.status;
    }
    if (!(error instanceof WebhookCallError)) {
      metrics.called(measured(), { kind: 'error' });
      throw isStatusError(error) ? error : internalError(error);
    }
    const ignored = webhook.failurePolicy === 'Ignore';
    metrics.called(measured(), { kind: 'failed', code: error.code, ignored });
    log.warning(ignored ? 'Failed calling webhook, failing open' : 'Failed calling webhook, failing closed', {
      webhook: webhook.name,
      error: error.message,
    });
    if (!ignored) throw internalError(error);
    attributes.addAuditAnnotation(call.failedOpenKey, webhook.name);
  }
}

/** A refusal on its way out of a call. */
class Denied extends Error {
  override readonly name = 'Denied';
  readonly status: StatusError;

  constructor(status: StatusError) {
    super(status.message);
    this.status = status;
  }
}

async function ask({ attributes, invocation, objects, type }: HookCall): Promise<AdmissionResponse> {
  const { client, webhook } = invocation.hook;
  const { name, sideEffects, timeoutSeconds = defaultTimeoutSeconds } = webhook;
  if (attributes.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') throw dryRunUnsupported(name);
  const version = reviewVersionOf(webhook.admissionReviewVersions);
  if (version === undefined)
    throw new WebhookCallError(
      name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      { code: 400 },
    );
  const uid = randomUUID();
  let review: AnsweredReview;
  try {
    review = await readReview(
      await client.post(reviewText({ uid, version, invocation, attributes, objects }), {
        timeoutMs: timeoutSeconds * 1000,
        signal: attributes.signal,
      }),
      version,
    );
  } catch (error) {
    throw new WebhookCallError(name, `failed to call webhook: ${messageOf(error)}`, {
      cause: error,
      code: isStatusError(error) ? error.code : 503,
    });
  }
  let response: AdmissionResponse;
  try {
    response = checkedResponse(review, { uid, version, mutating: type === 'admit' });
  } catch (error) {
    throw new WebhookCallError(name, `received invalid webhook response: ${messageOf(error)}`, {
      cause: error,
      code: 503,
    });
  }
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {}))
    attributes.addAuditAnnotation(`${name}/${key}`, value);
  for (const warning of response.warnings ?? []) attributes.addWarning(warning);
  if (response.allowed !== true) throw new Denied(webhookDenial(name, response.status));
  return response;
}
