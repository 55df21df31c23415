import { ALLOW, NO_OPINION } from './authorizer.ts';
import { isStatusError, messageOf } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { PRIVILEGED_GROUP } from '../authentication/well-known-users.ts';
import type { KubeClient } from '../rest-client/kube-client.ts';
import type { ConfiguredExpression } from '../expressions/configured-expression.ts';
import { isTimeout } from '../rest-client/client-timeout.ts';
import { KeptAnswers } from '../rest-client/kept-answers.ts';
import { webhookPath } from '../rest-client/webhook-path.ts';
import { withRetries } from '../rest-client/with-retries.ts';
import type { AuthorizationMetrics, WebhookResult } from './authorization-metrics.ts';
import { matchConditions } from './configuration/match-conditions.ts';
import { fieldRequirements, labelRequirements } from './selector-requirements.ts';
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from './authorizer.ts';

/** How long an extension server believes an answer, good or bad, by the reference's defaults. */
const ttlMs = 10_000;
/** Answers that an extension server keeps; the oldest goes. The reference's cache has as many. */
const maxAnswers = 1_024;
/** The same of a webhook. */
const maxWebhookAnswers = 8_192;
/** Characters that a caller chooses; answers about more are not kept. */
const maxKeptChars = 10_000;

/** Probes come without credentials that a SubjectAccessReview could be asked about. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/livez']);

interface SubjectAccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string };
}

interface ReviewOptions {
  readonly path: string;
  readonly version: 'v1' | 'v1beta1';
  readonly clock: Clock;
  readonly allowedTTLMs: number;
  readonly refusedTTLMs: number;
  readonly maxAnswers: number;
}

export interface WebhookAuthorizerOptions {
  readonly clock: Clock;
  /** Of the review. */
  readonly version: 'v1' | 'v1beta1';
  /** How long a yes is believed, in milliseconds. */
  readonly allowedTTLMs: number;
  /** How long everything else is. */
  readonly refusedTTLMs: number;
  /** Which the address of a question says, as Go's client has it. Default: it says none. */
  readonly timeoutMs?: number;
  /** Waits before it is asked again. */
  readonly sleep: (delayMs: number) => Promise<void>;
  /** What counts where it cannot be asked. Default: it has no opinion. */
  readonly failurePolicy?: 'NoOpinion' | 'Deny';
  /** It is asked only about what meets all of them. Default: about everything. */
  readonly conditions?: readonly ConfiguredExpression[];
  /** Counts questions under this name. */
  readonly observer?: { readonly name: string; readonly metrics: AuthorizationMetrics };
}

/**
 * Asks a webhook what callers may do (apiserver/plugin/pkg/authorizer/webhook, 1.36), at the client's address as it
 * stands. Where it cannot be asked, or its conditions cannot be told, its failure policy counts, with the error.
 */
export function webhookAuthorizer(
  client: Pick<KubeClient, 'create'>,
  { conditions = [], failurePolicy = 'NoOpinion', observer, sleep, timeoutMs, ...options }: WebhookAuthorizerOptions,
): Authorizer {
  const create = observer === undefined ? client.create.bind(client) : counted(client, options.clock, observer);
  const patient = {
    create: (path: string, object: KubeObject) => withRetries(() => create(path, object), sleep),
  };
  const reviews = new Reviews(patient, { ...options, path: webhookPath(timeoutMs), maxAnswers: maxWebhookAnswers });
  const failed = (error: unknown): AuthorizationResult => ({
    decision: failurePolicy,
    reason: '',
    error: error instanceof Error ? error : new Error(messageOf(error)),
  });
  return {
    authorize(attributes) {
      if (conditions.length > 0) {
        const started = options.clock.now();
        const outcome = matchConditions(conditions, attributes);
        observer?.metrics.conditionsMatched(observer.name, outcome.kind, (options.clock.now() - started) / 1000);
        if (outcome.kind === 'unmet') return NO_OPINION;
        if (outcome.kind === 'failed') return failed(outcome.error);
      }
      const answer = reviews.ask(attributes);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        if (failurePolicy === 'NoOpinion') observer?.metrics.webhookFailedOpen(observer.name, resultOfFailure(error));
        return failed(error);
      });
    },
  };
}

/** Counts each round trip, those that are tried again too. */
function counted(
  client: Pick<KubeClient, 'create'>,
  clock: Clock,
  { metrics, name }: NonNullable<WebhookAuthorizerOptions['observer']>,
): KubeClient['create'] {
  return async (path, object) => {
    const started = clock.now();
    const count = (result: WebhookResult): void => {
      metrics.webhookAsked(name, result, (clock.now() - started) / 1000);
    };
    try {
      const answer = await client.create(path, object);
      count('success');
      return answer;
    } catch (error) {
      count(resultOfFailure(error));
      throw error;
    }
  };
}

function resultOfFailure(error: unknown): WebhookResult {
  if (isStatusError(error)) return error.code === 504 ? 'timeout' : 'error';
  return isTimeout(error) ? 'timeout' : 'error';
}

/**
 * Asks the main API server what callers may do (apiserver/pkg/authorization/authorizerfactory, 1.36): answers are
 * kept for ten seconds, health endpoints are open to all, and system:masters is not asked about. A server that cannot
 * be asked allows nothing: the request fails.
 */
export function subjectAccessReviewAuthorizer(client: Pick<KubeClient, 'create'>, clock: Clock): Authorizer {
  const reviews = new Reviews(client, {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    version: 'v1',
    clock,
    allowedTTLMs: ttlMs,
    refusedTTLMs: ttlMs,
    maxAnswers,
  });
  return {
    authorize(attributes) {
      if (attributes.user.groups.includes(PRIVILEGED_GROUP)) return ALLOW;
      if (!attributes.resourceRequest && openPaths.has(attributes.path)) return ALLOW;
      return reviews.ask(attributes);
    },
  };
}

/** SubjectAccessReviews with what was answered to them. */
class Reviews {
  readonly #client: Pick<KubeClient, 'create'>;
  readonly #options: ReviewOptions;
  readonly #answers: KeptAnswers<AuthorizationResult>;

  constructor(client: Pick<KubeClient, 'create'>, options: ReviewOptions) {
    this.#client = client;
    this.#options = options;
    this.#answers = new KeptAnswers({ limit: options.maxAnswers, clock: options.clock });
  }

  ask(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult> {
    const key = JSON.stringify(attributes);
    return this.#answers.get(key) ?? this.#review(key, attributes);
  }

  async #review(key: string, attributes: AuthorizationAttributes): Promise<AuthorizationResult> {
    const { allowedTTLMs, path, refusedTTLMs, version } = this.#options;
    const { status } = (await this.#client.create(path, review(attributes, version))) as SubjectAccessReview;
    const result = resultOf(status ?? {});
    if (lengthOf(attributes) < maxKeptChars)
      this.#answers.keep(key, result, result.decision === 'Allow' ? allowedTTLMs : refusedTTLMs);
    return result;
  }
}

function resultOf({
  allowed: yes,
  denied,
  reason = '',
}: NonNullable<SubjectAccessReview['status']>): AuthorizationResult {
  if (denied === true && yes === true)
    return {
      decision: 'Deny',
      reason,
      error: new Error('webhook subject access review returned both allow and deny response'),
    };
  return { decision: denied === true ? 'Deny' : yes === true ? 'Allow' : 'NoOpinion', reason };
}

function lengthOf(attributes: AuthorizationAttributes): number {
  const { apiGroup, apiVersion, name, namespace, path, resource, subresource, verb } = attributes;
  return [apiGroup, apiVersion, name, namespace, path, resource, subresource, verb].join('').length;
}

function review(attributes: AuthorizationAttributes, version: 'v1' | 'v1beta1'): KubeObject {
  const { path, resourceRequest, user, verb } = attributes;
  return {
    apiVersion: `authorization.k8s.io/${version}`,
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      ...(resourceRequest
        ? { resourceAttributes: resourceAttributes(attributes) }
        : { nonResourceAttributes: { path, verb } }),
      user: user.name,
      ...(user.groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: user.groups }),
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
  };
}

/** What is empty is left out. */
function resourceAttributes(attributes: AuthorizationAttributes): Readonly<Record<string, unknown>> {
  const { apiGroup: group, apiVersion: version, name, namespace, resource, subresource, verb } = attributes;
  const named = Object.entries({ namespace, verb, group, version, resource, subresource, name });
  const fields = fieldRequirements(attributes.fieldSelector ?? '');
  const labels = labelRequirements(attributes.labelSelector ?? '');
  return {
    ...Object.fromEntries(named.filter(([, value]) => value !== '')),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}
