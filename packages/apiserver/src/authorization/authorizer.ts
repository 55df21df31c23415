import type { UserInfo } from '../request/user-info.ts';

/** authorizer.Attributes. For non-resource requests only user, verb and path are set. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export type Decision = 'Allow' | 'Deny' | 'NoOpinion';
export interface AuthorizationResult {
  readonly decision: Decision;
  readonly reason: string;
  /** What kept an authorizer from deciding; with `NoOpinion`, or beside what it has decided. */
  readonly error?: Error;
}

/** What an authorizer answers that allows a request without a word. */
export const ALLOW: AuthorizationResult = { decision: 'Allow', reason: '' };
/** What it answers that has nothing to say of a request. */
export const NO_OPINION: AuthorizationResult = { decision: 'NoOpinion', reason: '' };

/** Says whether a user may do something (authorizer.Authorizer). */
export interface Authorizer {
  /** Synchronous where it can be (RBAC is): the hot path then needs no promise. */
  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult>;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** For SelfSubjectRulesReview. */
export interface RuleResolver {
  rulesFor(
    user: UserInfo,
    namespace: string,
  ): {
    readonly resourceRules: readonly ResourceRule[];
    readonly nonResourceRules: readonly NonResourceRule[];
    readonly incomplete: boolean;
    readonly evaluationError: string;
  };
}
