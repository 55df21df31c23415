import { messageOf, readYAML, type KubeObject } from '@kubechain/apimachinery';
import { isMap } from './template/go-values.ts';
import { renderTemplate, type FindFunction } from './template/evaluate-template.ts';
import type { StageStep } from './stage.ts';
import { StageError } from './stage-error.ts';
import type { Body } from './template/template-nodes.ts';

/**
 * The body of a step's patch for an object, below the step's root. @throws StageError that names the template's place,
 * and the line
 */
export async function renderPatch(
  step: Extract<StageStep, { readonly kind: 'patch' }>,
  object: object,
  find: FindFunction,
): Promise<object> {
  const { place, root, type } = step;
  const value = await render(step, object, find);
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

/** The object that a step's template describes, with apiVersion and kind. @throws StageError */
export async function renderObject(
  step: Extract<StageStep, { readonly kind: 'apply' }>,
  object: object,
  find: FindFunction,
): Promise<KubeObject & { readonly apiVersion: string; readonly kind: string }> {
  const value = await render(step, object, find);
  const isNamed = isMap(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';
  if (!isNamed) throw new StageError(`${step.place}: must include apiVersion and kind`);
  return value as KubeObject & { readonly apiVersion: string; readonly kind: string };
}

async function render(
  { place, template }: Extract<StageStep, { readonly template: Body }>,
  object: object,
  find: FindFunction,
): Promise<unknown> {
  try {
    return (await readYAML(Buffer.from(renderTemplate(template, object, find)))).value;
  } catch (cause) {
    throw new StageError(`${place}: ${messageOf(cause)}`, { cause });
  }
}
