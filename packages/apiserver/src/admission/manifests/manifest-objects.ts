import { aggregateMessage, builtinScheme, decodeJSON, isPlainObject, messageOf } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import {
  defaultAdmissionPolicy,
  defaultAdmissionPolicyBinding,
  defaultMutatingWebhookConfiguration,
  defaultValidatingWebhookConfiguration,
} from './defaults.ts';
import { ManifestError, readManifests } from './manifest-files.ts';

/** Kinds that configure admission. */
export type ManifestKind =
  | 'MutatingAdmissionPolicy'
  | 'MutatingAdmissionPolicyBinding'
  | 'MutatingWebhookConfiguration'
  | 'ValidatingAdmissionPolicy'
  | 'ValidatingAdmissionPolicyBinding'
  | 'ValidatingWebhookConfiguration';

const apiVersion = 'admissionregistration.k8s.io/v1';
/** Names of what only manifests may hold. */
const suffix = '.static.k8s.io';

const defaults: Readonly<Record<ManifestKind, (object: never) => void>> = {
  ValidatingWebhookConfiguration: defaultValidatingWebhookConfiguration,
  MutatingWebhookConfiguration: defaultMutatingWebhookConfiguration,
  ValidatingAdmissionPolicy: defaultAdmissionPolicy,
  MutatingAdmissionPolicy: defaultAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: defaultAdmissionPolicyBinding,
  MutatingAdmissionPolicyBinding: defaultAdmissionPolicyBinding,
};

/** The rules that the API has for objects of a kind. */
export type ManifestRules = Readonly<Record<ManifestKind, (object: KubeObject) => readonly FieldError[]>>;

/** What a directory holds of one plugin's kinds. */
export interface LoadedManifests {
  /** By kind, sorted by name. */
  readonly objects: ReadonlyMap<ManifestKind, readonly KubeObject[]>;
  /** `sha256:…` of the files. */
  readonly hash: string;
}

export interface LoadOptions {
  /** Kinds that the plugin takes; others are refused. */
  readonly kinds: readonly ManifestKind[];
  /** Undefined where another server of the chain holds the objects to them. */
  readonly rules: ManifestRules | undefined;
}

/**
 * Reads the objects of a plugin from a directory: strictly, with defaults, held to the rules of the API and to those of
 * manifests (apiserver/pkg/admission/plugin/{webhook,policy}/manifest/loader and kube-apiserver's, 1.36).
 * @throws ManifestError, Error of the file system
 */
export function loadManifests(directory: string, { kinds, rules }: LoadOptions): LoadedManifests {
  const { documents, hash } = readManifests(directory);
  const loaded = new Map<ManifestKind, Map<string, KubeObject>>(kinds.map((kind) => [kind, new Map()]));
  const files = new Map<string, string>();
  for (const { file, text } of documents)
    try {
      for (const value of valuesOf(yamlValue(text).value)) {
        const { kind, object } = decoded(value, kinds);
        defaults[kind](object as never);
        const name = object.metadata?.name ?? '';
        const errors = rules?.[kind](object) ?? [];
        if (errors.length > 0) throw new ManifestError(`${kind} ${JSON.stringify(name)}: ${aggregateMessage(errors)}`);
        checkName(`${kind}/`, name, { file, files });
        checkObject(kind, object, file);
        loaded.get(kind)?.set(name, object);
      }
    } catch (error) {
      throw new ManifestError(`error loading ${file}: ${messageOf(error)}`, { cause: error });
    }
  const objects = new Map([...loaded].map(([kind, byName]) => [kind, sorted(byName)] as const));
  checkReferences(objects);
  return { objects, hash };
}

/** Items of lists, of any kind, by themselves. */
function* valuesOf(value: unknown): Generator<unknown> {
  if (!isPlainObject(value) || !Array.isArray(value['items']) || !String(value['kind']).endsWith('List')) {
    yield value;
    return;
  }
  const { apiVersion: version, items, kind } = value;
  for (const item of items as readonly unknown[])
    // What a list is typed for, its items need not say.
    if (kind === 'List' || !isPlainObject(item)) yield* valuesOf(item);
    else yield { apiVersion: version, kind: String(kind).slice(0, -'List'.length), ...item };
}

function decoded(
  value: unknown,
  kinds: readonly ManifestKind[],
): { readonly kind: ManifestKind; readonly object: KubeObject } {
  const { object } = decodeJSON(Buffer.from(JSON.stringify(value)), undefined, {
    strict: 'Strict',
    scheme: builtinScheme(),
    accepts: () => true,
  });
  const kind = kinds.find((candidate) => candidate === object.kind);
  if (kind === undefined || object.apiVersion !== apiVersion)
    throw new ManifestError(`unsupported resource type ${object.apiVersion ?? ''} ${object.kind ?? ''}`);
  return { kind, object };
}

interface Seen {
  readonly file: string;
  /** Where each name was found, by kind and name. */
  readonly files: Map<string, string>;
}

/** Source: apiserver/pkg/admission/plugin/manifest/validation.go ValidateManifestName, 1.36. */
function checkName(kind: string, name: string, { file, files }: Seen): void {
  const [quotedName, quotedFile] = [JSON.stringify(name), JSON.stringify(file)];
  if (name === '') throw new ManifestError(`resource in file ${quotedFile} must have a name`);
  if (!name.endsWith(suffix))
    throw new ManifestError(`${quotedName} in file ${quotedFile} must have a name ending with "${suffix}"`);
  const before = files.get(kind + name);
  if (before !== undefined)
    throw new ManifestError(
      `duplicate name ${quotedName} found in file ${quotedFile} (previously seen in ${JSON.stringify(before)})`,
    );
  files.set(kind + name, file);
}

interface Checked {
  readonly spec?: { readonly paramKind?: unknown; readonly paramRef?: unknown; readonly policyName?: string };
  readonly webhooks?: readonly {
    readonly name?: string;
    readonly clientConfig?: { readonly service?: unknown; readonly url?: string };
  }[];
}

/** What needs objects of the API is not for manifests, which are in force without it. */
function checkObject(kind: ManifestKind, object: KubeObject, file: string): void {
  const { spec, webhooks = [] } = object as Checked;
  const name = JSON.stringify(object.metadata?.name ?? '');
  for (const { clientConfig, name: hook = '' } of webhooks) {
    const where = `webhook ${JSON.stringify(hook)} in ${name} (file ${JSON.stringify(file)}): clientConfig`;
    if (clientConfig?.service !== undefined)
      throw new ManifestError(`${where}.service is not supported for static manifests; use clientConfig.url instead`);
    if ((clientConfig?.url ?? '') === '') throw new ManifestError(`${where}.url is required for static manifests`);
  }
  if (spec?.paramKind !== undefined)
    throw new ManifestError(`${kind} ${name}: spec.paramKind is not supported for static manifests`);
  if (!kind.endsWith('Binding')) return;
  const policy = spec?.policyName ?? '';
  if (policy === '') throw new ManifestError(`binding ${name} must reference a policy (spec.policyName)`);
  if (!policy.endsWith(suffix))
    throw new ManifestError(`binding ${name}: spec.policyName ${JSON.stringify(policy)} must end with "${suffix}"`);
  if (spec?.paramRef !== undefined)
    throw new ManifestError(`binding ${name}: spec.paramRef is not supported for static manifests`);
}

function checkReferences(objects: ReadonlyMap<ManifestKind, readonly KubeObject[]>): void {
  for (const [kind, bindings] of objects) {
    if (!kind.endsWith('Binding')) continue;
    const policies = objects.get(kind.slice(0, -'Binding'.length) as ManifestKind) ?? [];
    for (const binding of bindings) {
      const policy = (binding as Checked).spec?.policyName ?? '';
      if (!policies.some(({ metadata }) => metadata?.name === policy))
        throw new ManifestError(
          `binding ${JSON.stringify(binding.metadata?.name)} references policy ${JSON.stringify(policy)} which does ` +
            'not exist in the manifest directory',
        );
    }
  }
}

function sorted(byName: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}
