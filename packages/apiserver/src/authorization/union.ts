import { aggregateTexts, append, messageOf } from '@kubechain/apimachinery';
import type { UserInfo } from '../request/user-info.ts';
import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  NonResourceRule,
  ResourceRule,
  RuleResolver,
} from './authorizer.ts';

const NO_OPINION: AuthorizationResult = { decision: 'NoOpinion', reason: '' };

/**
 * Asks each in turn; the first that allows or denies decides. When none does, their reasons stand in lines of their
 * own.
 * Synchronous as long as its members are. Source: authorization/union.
 */
export function unionAuthorizer(members: readonly Authorizer[]): Authorizer {
  return { authorize: (attributes) => askFrom(members, attributes, { index: 0, reasons: '', errors: none }) };
}

interface Progress {
  readonly index: number;
  readonly reasons: string;
  readonly errors: readonly Error[];
}

const none: readonly Error[] = [];

function askFrom(
  members: readonly Authorizer[],
  attributes: AuthorizationAttributes,
  progress: Progress,
): AuthorizationResult | Promise<AuthorizationResult> {
  let { errors, reasons } = progress;
  for (let index = progress.index; index < members.length; index++) {
    const outcome = members[index]!.authorize(attributes);
    if (outcome instanceof Promise) {
      const [soFar, before] = [reasons, errors];
      return outcome.then((result) =>
        result.decision === 'NoOpinion'
          ? askFrom(members, attributes, {
              index: index + 1,
              reasons: join(soFar, result.reason),
              errors: result.error === undefined ? before : [...before, result.error],
            })
          : result,
      );
    }
    if (outcome.decision !== 'NoOpinion') return outcome;
    reasons = join(reasons, outcome.reason);
    if (outcome.error !== undefined) errors = [...errors, outcome.error];
  }
  if (errors.length > 0)
    return { decision: 'NoOpinion', reason: reasons, error: new Error(aggregateTexts(errors.map(messageOf))) };
  return reasons === '' ? NO_OPINION : { decision: 'NoOpinion', reason: reasons };
}

function join(reasons: string, reason: string): string {
  if (reason === '') return reasons;
  return reasons === '' ? reason : `${reasons}\n${reason}`;
}

/** The rules of all of them together, for SelfSubjectRulesReview. */
export function unionRuleResolver(members: readonly RuleResolver[]): RuleResolver {
  return {
    rulesFor(user: UserInfo, namespace: string) {
      const resourceRules: ResourceRule[] = [];
      const nonResourceRules: NonResourceRule[] = [];
      const errors: string[] = [];
      let incomplete = false;
      for (const member of members) {
        const rules = member.rulesFor(user, namespace);
        append(resourceRules, rules.resourceRules);
        append(nonResourceRules, rules.nonResourceRules);
        incomplete ||= rules.incomplete;
        if (rules.evaluationError !== '') errors.push(rules.evaluationError);
      }
      return {
        resourceRules,
        nonResourceRules,
        incomplete,
        evaluationError: errors.length > 1 ? `[${[...new Set(errors)].join(', ')}]` : (errors[0] ?? ''),
      };
    },
  };
}
