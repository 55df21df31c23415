import { randomUUID } from 'node:crypto';
import { internalError, isStatusError, limits, type StatusError, messageOf } from '@kubechain/apimachinery';
import { traced, type Span } from '@kubechain/shared-storage/tracing';
import { callFailureOf } from '../../webhook/call-failure.ts';
import { Logger } from '../../logging/logger.ts';
import type { WebhookCall } from '../../peers/webhook-calls.ts';
import { LargeObjectError } from '../../request/side-server.ts';
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
import { reasonOf, type WebhookMetrics, type WebhookOutcome } from './webhook-metrics.ts';

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
  const { configuration, tell, webhook } = call.invocation.hook;
  if (tell === undefined) return callAndApply(call);
  const { attributes, type } = call;
  const startedAt = performance.now();
  let told: Pick<WebhookCall, 'outcome' | 'patch' | 'reason'> = { outcome: 'error' };
  try {
    await callAndApply(call, (outcome, patch) => {
      const said = outcome.kind === 'allowed' ? {} : { reason: reasonOf(outcome) };
      told = { outcome: outcome.kind, ...said, ...(patch === undefined || isSecret(attributes) ? {} : { patch }) };
    });
  } finally {
    await tell({
      auditID: attributes.auditID,
      configuration,
      webhook: webhook.name,
      type: type === 'admit' ? 'mutating' : 'validating',
      durationMs: performance.now() - startedAt,
      ...told,
    });
  }
}

function isSecret({ resource: { group, resource }, subresource }: AdmissionAttributes): boolean {
  return group === '' && (resource === 'secrets' || (resource === 'serviceaccounts' && subresource === 'token'));
}

async function callAndApply(
  call: HookCall,
  keep?: (outcome: WebhookOutcome, patch: string | undefined) => void,
): Promise<void> {
  const {
    attributes,
    invocation: {
      hook: { webhook },
    },
    metrics,
    type,
  } = call;
  const startedAt = attributes.observation?.begin('webhook', webhook.name) ?? performance.now();
  let patch: string | undefined;
  const ended = (outcome: WebhookOutcome, error?: unknown): void => {
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.called({ name: webhook.name, type, operation: attributes.operation, seconds }, outcome);
    attributes.observation?.add('webhook', webhook.name, startedAt, observedOutcome(outcome, patch));
    keep?.(outcome, patch === undefined ? undefined : Buffer.from(patch, 'base64').toString());
    const level = levelOf(outcome);
    if (!log.enabled(level)) return;
    const fields = {
      webhook: webhook.name,
      reason: reasonOf(outcome),
      'audit-ID': attributes.auditID,
      seconds,
      ...(error === undefined ? {} : { error: messageOf(error) }),
    };
    if (outcome.kind === 'failed')
      log.warning(`Failed calling webhook, failing ${outcome.ignored ? 'open' : 'closed'}`, fields);
    else log.info('Webhook call ended', fields, level);
  };
  try {
    await tracedCall(call, async (span) => {
      const response = await ask(call);
      span?.event('Request completed');
      ({ patch } = response);
      await call.apply(response);
      if (patch !== undefined) span?.event('Patch applied');
    });
    ended({ kind: 'allowed' });
  } catch (error) {
    if (error instanceof Denied) {
      ended({ kind: 'denied', code: error.status.code }, error);
      throw error.status;
    }
    if (!(error instanceof WebhookCallError)) {
      ended({ kind: 'error' }, error);
      // What was made too large for this thread is made once more by another one.
      throw isStatusError(error) || error instanceof LargeObjectError ? error : internalError(error);
    }
    const ignored = webhook.failurePolicy === 'Ignore';
    ended({ kind: 'failed', code: error.code, reason: error.reason, ignored }, error);
    if (!ignored) throw internalError(error);
    attributes.addAuditAnnotation(call.failedOpenKey, webhook.name);
  }
}

/** A call as a step of a request that is traced (mutating and validating/dispatcher.go, 1.36). */
function tracedCall(
  { attributes, invocation, type }: HookCall,
  work: (span: Span | undefined) => Promise<void>,
): Promise<void> {
  const { group, resource, version } = attributes.resource;
  return traced(
    `Call ${type === 'admit' ? 'mutating' : 'validating'} webhook`,
    () => ({
      configuration: invocation.hook.configuration,
      webhook: invocation.hook.webhook.name,
      resource: `${group}/${version}, Resource=${resource}`,
      subresource: attributes.subresource,
      operation: attributes.operation,
    }),
    work,
  );
}

/** For whoever looks at the request: what was answered, and the patch as the webhook has written it. */
function observedOutcome(outcome: WebhookOutcome, patch: string | undefined): string {
  const text = outcome.kind === 'allowed' ? outcome.kind : `${outcome.kind}: ${reasonOf(outcome)}`;
  return patch === undefined ? text : `${text} ${Buffer.from(patch, 'base64').toString()}`;
}

/** From which verbosity on an end is told: failures always, refusals and answers as requests are. */
function levelOf({ kind }: WebhookOutcome): number {
  switch (kind) {
    case 'failed':
      return 0;
    case 'error':
      return 2;
    case 'denied':
      return 3;
    case 'allowed':
      return 5;
    default:
      return kind satisfies never;
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
      { code: 400, reason: 'unsupported' },
    );
  const uid = randomUUID();
  let review: AnsweredReview;
  let answered = false;
  try {
    const body = await client.post(reviewText({ uid, version, invocation, attributes, objects }), {
      timeoutMs: timeoutSeconds * 1000,
      remainingMs: attributes.remainingMs,
      maxBytes: limits.admissionAnswer.value,
      signal: attributes.signal,
      trace: attributes.trace,
    });
    // Answers may be large, and may come for many requests at once.
    await attributes.objects.rest();
    answered = true;
    review = await readReview(body, version);
    await attributes.objects.rest();
  } catch (error) {
    throw new WebhookCallError(name, `failed to call webhook: ${messageOf(error)}`, {
      cause: error,
      code: isStatusError(error) ? error.code : 503,
      reason: answered ? 'invalid_answer' : attributes.signal.aborted ? 'request_over' : callFailureOf(error),
    });
  }
  let response: AdmissionResponse;
  try {
    response = checkedResponse(review, { uid, version, mutating: type === 'admit' });
  } catch (error) {
    throw new WebhookCallError(name, `received invalid webhook response: ${messageOf(error)}`, {
      cause: error,
      code: 503,
      reason: 'invalid_answer',
    });
  }
  await annotate(attributes, name, response.auditAnnotations ?? {});
  for (const warning of response.warnings ?? []) attributes.addWarning(warning);
  if (response.allowed !== true) throw new Denied(webhookDenial(name, response.status));
  return response;
}

/** So many annotations take a millisecond or two. */
const annotationsAtOnce = 1_000;

async function annotate(
  attributes: AdmissionAttributes,
  name: string,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  let count = 0;
  for (const [key, value] of Object.entries(annotations)) {
    if (++count % annotationsAtOnce === 0) await attributes.objects.rest();
    attributes.addAuditAnnotation(`${name}/${key}`, value);
  }
}
