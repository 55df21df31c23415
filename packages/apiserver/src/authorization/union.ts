import { NO_OPINION } from './authorizer.ts';
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

/**
 * Asks each in turn; the first that allows or denies decides. When none does, their reasons stand in lines of their
 * own.
 * @param names of the members, which stand before their reasons since 1.37
 * Synchronous as long as its members are. Source: authorization/union.
 */
export function unionAuthorizer(members: readonly Authorizer[], names?: readonly string[]): Authorizer {
  const named =
    names === undefined ? members : members.map((member, i) => withNamedReasons(member, `${names[i] ?? ''}: `));
  return { authorize: (attributes) => askFrom(named, attributes, { index: 0, reasons: '', errors: none }) };
}

function withNamedReasons(member: Authorizer, prefix: string): Authorizer {
  const name = (result: AuthorizationResult): AuthorizationResult =>
    result.decision === 'NoOpinion' && result.reason !== '' ? { ...result, reason: prefix + result.reason } : result;
  return {
    authorize(attributes) {
      const outcome = member.authorize(attributes);
      return outcome instanceof Promise ? outcome.then(name) : name(outcome);
    },
  };
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
