import type { RESTContext } from '../../registry/rest/storage.ts';

/** Of an object, what takes as long as compiling one expression: some 60 microseconds. */
const valuesOfExpression = 20;

/**
 * To be called before so many expressions are compiled for an object: more than 1,250 are the side server's, as
 * objects of many values are.
 * @throws LargeObjectError where they are more than is worked on here
 */
export function beginWithExpressions({ turns }: Pick<RESTContext, 'turns'>, count: number): void {
  turns?.beginWith(valuesOfExpression * count);
}
