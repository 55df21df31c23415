import { TypeChecker } from '@kubechain/apiserver/type-checking';
import { dynType, type CelType } from '@kubechain/cel';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { inTurns } from '../clock/in-turns.ts';
import { gvkText, type GroupVersionKind } from './kinds-to-check.ts';

/** Kinds and their types. */
export interface PolicyTypes {
  readonly objects: readonly { readonly gvk: GroupVersionKind; readonly type: CelType }[];
  /** Of paramKind, where it is known. */
  readonly params: CelType | undefined;
}

/** An expression of a policy, and where it stands. */
interface Placed {
  readonly fieldRef: string;
  readonly expression: string;
}

/**
 * What is wrong with a policy's validations and their messages for the kinds that it matches
 * (validating/typechecking.go Check, 1.36). Others have the thread between two expressions: a policy may have twelve
 * thousand, each of which is compiled for ten kinds.
 */
export async function checkPolicy(
  { spec }: ValidatingAdmissionPolicy,
  types: PolicyTypes,
): Promise<readonly ExpressionWarning[]> {
  const params = spec?.paramKind === undefined ? undefined : (types.params ?? dynType);
  const checkers = types.objects.map(({ gvk, type }) => ({ gvk, checker: new TypeChecker({ object: type, params }) }));
  await inTurns(pairs(spec?.variables ?? [], checkers), ([variable, { checker }]) => {
    checker.declare(variable);
  });
  const problems = new Map<string, string[]>();
  await inTurns(pairs(expressionsOf(spec), checkers), ([{ expression, fieldRef }, { checker, gvk }]) => {
    const problem = checker.problemOf(expression);
    if (problem === undefined) return;
    const known = problems.get(fieldRef);
    const text = `${gvkText(gvk)}: ${problem}\n`;
    if (known === undefined) problems.set(fieldRef, [text]);
    else known.push(text);
  });
  return Array.from(problems, ([fieldRef, texts]) => ({ fieldRef, warning: texts.join('\n') }));
}

function* expressionsOf(spec: ValidatingAdmissionPolicy['spec']): Generator<Placed> {
  for (const [i, { expression, messageExpression = '' }] of (spec?.validations ?? []).entries()) {
    yield { fieldRef: `spec.validations[${i}].expression`, expression };
    if (messageExpression !== '')
      yield { fieldRef: `spec.validations[${i}].messageExpression`, expression: messageExpression };
  }
}

/** Each of the first with each of the others, in their order. */
function* pairs<A, B>(first: Iterable<A>, others: readonly B[]): Generator<readonly [A, B]> {
  for (const one of first) for (const other of others) yield [one, other];
}
