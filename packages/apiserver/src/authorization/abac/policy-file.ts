import { isDecodeError, messageOf, type KindInfo } from '@kubechain/apimachinery';
import { AUTHENTICATED_GROUP } from '../../authentication/well-known-users.ts';
import { configurationKinds, structSchema, switchSchema, textSchema } from '../../files/configuration-schema.ts';
import { decodeConfiguration } from '../../files/decode-configuration.ts';
import { readFlagFile } from '../../options/read-flag-file.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { PolicyList, type Policy } from './policy-list.ts';

const flag = 'authorization-policy-file';
const group = 'abac.authorization.kubernetes.io';
const common = { user: textSchema, group: textSchema, readonly: switchSchema };
const place = { resource: textSchema, namespace: textSchema };

/** Lines of before there were versions. */
const [v0] = configurationKinds({ group, kind: 'Policy', versions: ['v0'] }, () => ({ ...common, ...place })) as [
  KindInfo,
];
const [v1beta1] = configurationKinds({ group, kind: 'Policy', versions: ['v1beta1'] }, () => ({
  spec: structSchema('v1beta1.PolicySpec', {
    ...common,
    apiGroup: textSchema,
    ...place,
    nonResourcePath: textSchema,
  }),
})) as [KindInfo];

type Fields = Partial<Policy>;

/**
 * Reads a file with one policy on each line; blank ones and those that begin with `#` are left out.
 * @throws OptionsError that names the line which is none
 */
export function readPolicyFile(path: string, warn?: (text: string) => void): PolicyList {
  const policies: Policy[] = [];
  let unversioned = false;
  for (const [i, line] of readFlagFile(path, flag).toString('utf8').split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      const { policy, versioned } = decode(line);
      policies.push(policy);
      unversioned ||= !versioned;
    } catch (error) {
      if (!isDecodeError(error)) throw error;
      throw unusableFlag(flag, `error reading policy file ${path}, line ${i + 1}: ${line}: ${messageOf(error)}`, error);
    }
  }
  if (unversioned) warn?.(`Policy file ${path} contained unversioned rules`);
  return new PolicyList(policies);
}

/** What has no known type is taken for a line of before there were versions. @throws DecodeError */
function decode(line: string): { readonly policy: Policy; readonly versioned: boolean } {
  try {
    const { gvk, fields } = decodeConfiguration(line, [v0, v1beta1], { strict: false });
    return { policy: gvk.version === 'v0' ? ofV0(fields) : ofV1beta1(fields), versioned: true };
  } catch (error) {
    if (!isDecodeError(error) || !['MissingKind', 'MissingVersion', 'NotRegistered'].includes(error.code)) throw error;
    const { fields } = decodeConfiguration(line, [v0, v1beta1], { strict: false, expected: v0 });
    return { policy: ofV0(fields), versioned: false };
  }
}

/** What is left out of the oldest form means everything, and `*` all who have logged in. */
function ofV0({ group: named = '', namespace = '', readonly = false, resource = '', user = '' }: Fields): Policy {
  const all = user === '*' || named === '*';
  return {
    user: all ? '' : user,
    group: all || (user === '' && named === '') ? AUTHENTICATED_GROUP : named,
    readonly,
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

function ofV1beta1({ spec }: { readonly spec?: unknown }): Policy {
  const fields = (spec ?? {}) as Fields;
  const all = fields.user === '*' || fields.group === '*';
  return {
    user: all ? '' : (fields.user ?? ''),
    group: all ? AUTHENTICATED_GROUP : (fields.group ?? ''),
    readonly: fields.readonly ?? false,
    apiGroup: fields.apiGroup ?? '',
    resource: fields.resource ?? '',
    namespace: fields.namespace ?? '',
    nonResourcePath: fields.nonResourcePath ?? '',
  };
}
