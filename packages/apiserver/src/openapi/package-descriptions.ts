import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { builtinScheme } from '@kubechain/apimachinery';
import type { DefinitionDescriptions, DescriptionSource } from './built-in-schema.ts';
import { declaredDescriptions, declaredTypeDescription } from './declared-descriptions.ts';
import { declaredParameters } from './declared-parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.';
/** Members that every kind has, and that the packages leave without text where their value is fixed. */
const typeMeta = ['apiVersion', 'kind'] as const;

/**
 * Descriptions of built-in types, read from the doc comments of npm packages that are generated from Kubernetes' own
 * documents: types from `kubernetes-models`, those that it does not declare (quantities) from `kubernetes-types`, query
 * parameters from `@kubernetes/client-node`. A package that is not installed (all are optional at run time) leaves its
 * texts out. Files are read when a definition is first asked for; nothing is
 * kept but what documents are made of.
 */
export class PackageDescriptions implements DescriptionSource {
  readonly #models = folderOf('kubernetes-models');
  readonly #scalars = folderOf('kubernetes-types');
  readonly #meta = folderOf('@kubernetes-models/apimachinery', 'kubernetes-models');
  #folders: ReadonlyMap<string, string> | undefined;
  #parameters: ReadonlyMap<string, string> | undefined;
  #typeMeta: DefinitionDescriptions | undefined;

  definition(name: string): DefinitionDescriptions | undefined {
    const found = this.#read(name);
    if (found === undefined) return undefined;
    if (name.endsWith('.DeleteOptions')) return found;
    this.#typeMeta ??= this.#read('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
    const fields = new Map(found.fields);
    for (const member of typeMeta) {
      const text = this.#typeMeta?.fields.get(member);
      if (text !== undefined && !fields.has(member)) fields.set(member, text);
    }
    return { ...found, fields };
  }

  parameter(name: string, definition?: string): string | undefined {
    const kind = definition?.slice(definition.lastIndexOf('.') + 1) ?? '';
    return this.parameters().get(`${kind} ${name}`) ?? this.parameters().get(name);
  }

  /** All texts of query parameters, by `name` or `OptionsKind name`. */
  parameters(): ReadonlyMap<string, string> {
    this.#parameters ??= readParameters();
    return this.#parameters;
  }

  #read(name: string): DefinitionDescriptions | undefined {
    const dot = name.lastIndexOf('.');
    const kind = name.slice(dot + 1);
    const folder = this.#folder(name.slice(0, dot));
    const file = folder === undefined ? undefined : join(folder, `${kind}.d.ts`);
    const declared =
      file === undefined || !existsSync(file) ? undefined : declaredDescriptions(readFileSync(file, 'utf8'), kind);
    if (declared?.description !== undefined || !name.startsWith(meta)) return declared;
    return this.#readScalar(name.slice(meta.length, dot), kind) ?? declared;
  }

  /** A type that is only another name for a text or number, of a package below `io.k8s.apimachinery.pkg`. */
  #readScalar(goPackage: string, kind: string): DefinitionDescriptions | undefined {
    const file =
      this.#scalars === undefined ? undefined : join(this.#scalars, `${goPackage.replaceAll('.', '/')}.d.ts`);
    const description =
      file === undefined || !existsSync(file) ? undefined : declaredTypeDescription(readFileSync(file, 'utf8'), kind);
    return description === undefined ? undefined : { description, fields: new Map() };
  }

  /** The folder of a Go package's types. */
  #folder(goPackage: string): string | undefined {
    if (goPackage.startsWith(meta))
      return this.#meta === undefined ? undefined : join(this.#meta, ...goPackage.slice(meta.length).split('.'));
    const folder = (this.#folders ??= groupFolders()).get(goPackage);
    return folder === undefined || this.#models === undefined ? undefined : join(this.#models, folder);
  }
}

/** `io.k8s.api.apps.v1` → `apps/v1`, `io.k8s.api.core.v1` → `v1`. */
function groupFolders(): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { definition, gvk } of builtinScheme().kinds()) {
    if (definition === undefined || definition.startsWith(meta)) continue;
    const goPackage = definition.slice(0, definition.lastIndexOf('.'));
    // Kinds of other groups (Scale in apps) are registered beside the group's own: the package's version folder
    // decides.
    const own = goPackage.slice(0, goPackage.lastIndexOf('.'));
    const group = own.slice(own.lastIndexOf('.') + 1);
    if (folders.has(goPackage) && !gvk.group.startsWith(group)) continue;
    if (goPackage.endsWith(`.${gvk.version}`)) folders.set(goPackage, join(gvk.group, gvk.version));
  }
  return folders;
}

/** Methods of the client whose parameters say something else than those of the same name elsewhere. */
const methodOfOptions: ReadonlyMap<string, RegExp> = new Map([
  ['PatchOptions', /^patch/],
  ['PodLogOptions', /^readNamespacedPodLog$/],
  ['PodExecOptions', /^connectGetNamespacedPodExec$/],
  ['PodAttachOptions', /^connectGetNamespacedPodAttach$/],
  ['PodPortForwardOptions', /^connectGetNamespacedPodPortforward$/],
  ['PodProxyOptions', /^connectGetNamespacedPodProxy$/],
  ['ServiceProxyOptions', /^connectGetNamespacedServiceProxy$/],
  ['NodeProxyOptions', /^connectGetNodeProxy$/],
]);

function readParameters(): ReadonlyMap<string, string> {
  const folder = folderOf('@kubernetes/client-node');
  const texts = new Map<string, string>();
  if (folder === undefined) return texts;
  // One small group has all common parameters; those of pods' streams and logs are in the core group.
  for (const api of ['NodeV1Api', 'CoreV1Api']) {
    const file = join(folder, 'dist/gen/apis', `${api}.d.ts`);
    if (existsSync(file))
      for (const [name, text] of declaredParameters(readFileSync(file, 'utf8'), methodOfOptions))
        if (!texts.has(name)) texts.set(name, text);
  }
  return texts;
}

/** The installed package's folder; undefined when it is not installed. `through`: a package that depends on it. */
function folderOf(name: string, through?: string): string | undefined {
  const require = createRequire(import.meta.url);
  for (const base of require.resolve.paths(name) ?? []) {
    if (existsSync(join(base, name, 'package.json'))) return join(base, name);
  }
  const outer = through === undefined ? undefined : folderOf(through);
  if (outer === undefined) return undefined;
  const nested = join(outer, 'node_modules', name);
  return existsSync(nested) ? nested : existsSync(join(dirname(outer), name)) ? join(dirname(outer), name) : undefined;
}
