import { FormatError, selectorFromObject } from '@kubechain/apimachinery';
import type { ParamSource } from './param-sources.ts';
import type { ParamKind, ParamRef } from './stored-policy.ts';

/**
 * The params that a policy is evaluated with, once for each; null for evaluating it without (policy/generic
 * CollectParams, 1.36).
 * @throws FormatError where params cannot be told, or none were found and that is to be refused
 */
export async function collectParams(
  kind: ParamKind | undefined,
  source: ParamSource | undefined,
  { namespace: ofRequest, ref }: { readonly ref: ParamRef | undefined; readonly namespace: string },
): Promise<readonly (object | null)[]> {
  if (kind === undefined || ref === undefined) return [null];
  if (source === undefined) throw new FormatError(`paramKind kind \`${kindText(kind)}\` not known`);
  const { name = '', namespace: ofRef = '', parameterNotFoundAction, selector } = ref;
  const namespace = source.namespaced ? (ofRef === '' ? ofRequest : ofRef) : '';
  if (source.namespaced && namespace === '')
    throw new FormatError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (!(await source.ready()))
    throw new FormatError(`paramKind kind \`${kindText(kind)}\` not yet synced to use for admission`);
  if (!source.namespaced && ofRef !== '')
    throw new FormatError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const found = find(source, { name, namespace, selector });
  if (found.length === 0 && parameterNotFoundAction === 'Deny')
    throw new FormatError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

function find(
  source: ParamSource,
  {
    name,
    namespace,
    selector,
  }: { readonly name: string; readonly namespace: string; readonly selector: ParamRef['selector'] },
): readonly object[] {
  if (name !== '') {
    if (selector !== undefined) throw new FormatError('paramRef.name and paramRef.selector are mutually exclusive');
    const param = source.get(namespace, name);
    return param === undefined ? [] : [param];
  }
  if (selector === undefined) throw new FormatError('one of name or selector must be provided');
  return source.list(namespace, selectorFromObject(selector));
}

function kindText({ apiVersion = '', kind = '' }: ParamKind): string {
  return `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
}
