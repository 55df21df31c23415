import type { FieldError } from '@kubechain/apimachinery';
import type { StoreContext } from './store-context.ts';

/** What is told of mistakes, of which several rules may have found the same (field.ErrorList Filter, 1.37). */
export function mistakesToTell({ environment }: StoreContext, errors: FieldError[]): FieldError[] {
  if (environment.tellsMistakesOnce !== true || errors.length < 2) return errors;
  const told = new Set<string>();
  return errors.filter((error) => {
    const text = String(error);
    if (told.has(text)) return false;
    told.add(text);
    return true;
  });
}
