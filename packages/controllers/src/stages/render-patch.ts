import { messageOf, readYAML } from '@kubechain/apimachinery';
import { isMap } from './template/go-values.ts';
import { renderTemplate, type FindFunction } from './template/evaluate-template.ts';
import type { StageStep } from './stage.ts';
import { StageError } from './stage-error.ts';

/**
 * The body of a step's patch for an object, below the step's root. @throws StageError that names the template's place,
 * and the line
 */
export async function renderPatch(
  step: Extract<StageStep, { readonly kind: 'patch' }>,
  object: object,
  find: FindFunction,
): Promise<object> {
  const { place, root, template, type } = step;
  let value: unknown;
  try {
    ({ value } = await readYAML(Buffer.from(renderTemplate(template, object, find))));
  } catch (cause) {
    throw new StageError(`${place}: ${messageOf(cause)}`, { cause });
  }
  if (type === 'application/json-patch+json') {
    if (!Array.isArray(value)) throw new StageError(`${place}: a JSON patch must be a list`);
    return root === undefined
      ? value
      : value.map((operation: unknown) =>
          isMap(operation) ? { ...operation, path: `/${root}${String(operation['path'])}` } : {},
        );
  }
  if (root !== undefined) return { [root]: value ?? {} };
  if (!isMap(value)) throw new StageError(`${place}: a patch must be an object`);
  return value;
}
