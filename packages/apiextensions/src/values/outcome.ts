import {
  FieldPath,
  goJSON,
  invalidValue,
  notSupported,
  required,
  sortedForm,
  tooLong,
  tooMany,
  typeInvalid,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';

/**
 * One thing that is wrong with a value, before it is placed in an object; the kinds are those that print differently.
 */
export type Problem =
  | { readonly kind: 'type' | 'value'; readonly path: string; readonly message: string; readonly value: unknown }
  | { readonly kind: 'required'; readonly path: string; readonly message: string }
  | {
      readonly kind: 'enum';
      readonly path: string;
      readonly message: string;
      readonly value: unknown;
      readonly allowed: readonly unknown[];
    }
  | { readonly kind: 'tooLong'; readonly path: string; readonly message: string; readonly max: number }
  | {
      readonly kind: 'tooMany';
      readonly path: string;
      readonly message: string;
      readonly max: number;
      readonly size: number;
    }
  /** Has no place of its own: junctors and number ranges. */
  | { readonly kind: 'general'; readonly message: string };

/** What validation of a value found (kube-openapi validate.Result): each text once, and how many checks were passed. */
export class Outcome {
  readonly problems: Problem[] = [];
  /** Decides which of the failed alternatives of an anyOf or oneOf is reported. */
  matches = 0;
  /** Of the problems, once there are any: a list may have one for each of its items. */
  #messages: Set<string> | undefined = undefined;

  get valid(): boolean {
    return this.problems.length === 0;
  }

  add(problem: Problem): void {
    const messages = (this.#messages ??= new Set());
    if (messages.has(problem.message)) return;
    messages.add(problem.message);
    this.problems.push(problem);
  }

  /** Forgets all problems but the first `kept`. */
  keep(kept: number): void {
    for (const { message } of this.problems.splice(kept)) this.#messages?.delete(message);
  }

  merge(other: Outcome): void {
    for (const problem of other.problems) this.add(problem);
    this.matches += other.matches;
  }
}

/** Field errors in upstream's words (apiextensions-apiserver/pkg/apiserver/validation, 1.36). */
export function toFieldErrors(problems: readonly Problem[], path: FieldPath = FieldPath.root): FieldError[] {
  return problems.map((problem) => toFieldError(problem, path));
}

function toFieldError(problem: Problem, root: FieldPath): FieldError {
  if (problem.kind === 'general') return invalidValue(root, '', problem.message);
  const name = problem.path.startsWith('.') ? problem.path.slice(1) : problem.path;
  const path = name === '' ? root : root.child(name);
  switch (problem.kind) {
    case 'required':
      return required(path);
    case 'enum':
      return notSupported(
        path,
        sortedForm(problem.value),
        problem.allowed.map((value) => (typeof value === 'string' ? value : goJSON(sortedForm(value)))),
        { plain: true },
      );
    case 'tooLong':
      return tooLong(path, problem.max);
    case 'tooMany':
      return tooMany(path, problem.size, problem.max);
    case 'type':
      return typeInvalid(path, problem.value, problem.message);
    case 'value':
      return invalidValue(path, problem.value, problem.message);
    default:
      return problem satisfies never;
  }
}
