import { ALLOW } from './authorizer.ts';
import type { AuthorizationResult, Authorizer, ResourceRule, RuleResolver } from './authorizer.ts';

const NO_OPINION: AuthorizationResult = { decision: 'NoOpinion', reason: 'Everything is forbidden.' };
const ALL: readonly string[] = ['*'];
const ALL_RESOURCES: ResourceRule = { verbs: ALL, apiGroups: ALL, resources: ALL };

/** --authorization-mode=AlwaysAllow. Source: authorization/authorizerfactory/builtin.go. */
export const alwaysAllow: Authorizer & RuleResolver = {
  authorize: () => ALLOW,
  rulesFor: () => ({
    resourceRules: [ALL_RESOURCES],
    nonResourceRules: [{ verbs: ALL, nonResourceURLs: ALL }],
    incomplete: false,
    evaluationError: '',
  }),
};

/** --authorization-mode=AlwaysDeny: has no opinion on anything, so that privileged users still come in. */
export const alwaysDeny: Authorizer & RuleResolver = {
  authorize: () => NO_OPINION,
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' }),
};
