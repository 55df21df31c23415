import { isPlainObject } from '@kubechain/apimachinery';
import { dirname, resolve } from 'node:path';
import { parseFlagFile } from '../../files/parse-flag-file.ts';
import { unusableFlag } from '../../options/options-error.ts';
import type { OptionsError } from '../../options/options-error.ts';

const flag = 'admission-control-config-file';
const versions: readonly unknown[] = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'];

/** Files of before there was an AdmissionConfiguration: by the field that tells them, whose they are. */
const unversioned: Readonly<Record<string, string>> = {
  imagePolicy: 'ImagePolicyWebhook',
  podNodeSelectorPluginConfig: 'PodNodeSelector',
};

type Document = Readonly<Record<string, unknown>>;

/**
 * Configurations of admission plugins (--admission-control-config-file, an AdmissionConfiguration), read when asked.
 */
export class PluginConfigurations {
  readonly #documents: ReadonlyMap<string, () => unknown>;

  private constructor(documents: ReadonlyMap<string, () => unknown>) {
    this.#documents = documents;
  }

  /** Those of a file; none for the empty path. @throws OptionsError in one line that says what is wrong */
  static read(path: string): PluginConfigurations {
    if (path === '') return new PluginConfigurations(new Map());
    const document = parsed(path);
    for (const [field, plugin] of Object.entries(unversioned))
      if (document['kind'] === undefined && field in document)
        return new PluginConfigurations(new Map([[plugin, () => document]]));
    const { apiVersion, kind, plugins = [], ...others } = document;
    if (kind !== 'AdmissionConfiguration' || !versions.includes(apiVersion))
      throw configurationError(
        `${path}: must be kind AdmissionConfiguration of apiserver.config.k8s.io/v1, is ${String(kind)} of ` +
          `${String(apiVersion)}`,
      );
    refuseUnknown(`${path}: `, others);
    if (plugins !== null && !Array.isArray(plugins)) throw configurationError(`${path}: plugins must be a list`);
    const documents = new Map<string, () => unknown>();
    for (const [i, plugin] of ((plugins ?? []) as readonly unknown[]).entries()) {
      if (!isPlainObject(plugin)) throw configurationError(`${path}: plugins[${i}] must be an object`);
      const { configuration, name, path: file = '', ...rest } = plugin;
      refuseUnknown(`${path}: plugins[${i}].`, rest);
      if (typeof name !== 'string' || typeof file !== 'string')
        throw configurationError(`${path}: name and path of plugins[${i}] must be strings`);
      // The first of a name counts; what stands here counts before a file.
      if (documents.has(name)) continue;
      if (configuration !== undefined && configuration !== null) documents.set(name, () => configuration);
      else if (file !== '') documents.set(name, () => parsed(resolve(dirname(path), file)));
    }
    return new PluginConfigurations(documents);
  }

  /** Whether a plugin has one. */
  has(plugin: string): boolean {
    return this.#documents.has(plugin);
  }

  /** As it stands, without its type; undefined where a plugin has none. @throws OptionsError */
  unversioned(plugin: string): Document | undefined {
    const document = this.#documents.get(plugin)?.();
    if (document !== undefined && !isPlainObject(document)) throw configurationError(`${plugin}: must be an object`);
    return document;
  }

  /**
   * The fields of a plugin's configuration, empty where it has none.
   * @throws OptionsError for another type, and for fields that it does not have
   */
  fieldsOf(plugin: string, type: ConfigurationType): Document {
    const document = this.unversioned(plugin);
    if (document === undefined) return {};
    const { apiVersion, kind, ...fields } = document;
    if (kind !== type.kind || !type.versions.some((version) => apiVersion === `${type.group}/${version}`))
      throw configurationError(
        `${plugin}: no kind "${String(kind)}" is registered for version "${String(apiVersion)}"; it takes ` +
          `${type.kind} of ${type.group}/${type.versions[0] ?? ''}`,
      );
    const { metadata: _metadata, ...rest } = fields;
    refuseUnknown(
      `${plugin}: `,
      Object.fromEntries(Object.entries(rest).filter(([name]) => !type.fields.includes(name))),
    );
    return rest;
  }
}

/** What kind of object configures a plugin. */
export interface ConfigurationType {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly fields: readonly string[];
}

/** One line for whoever started the server. */
export function configurationError(reason: string): OptionsError {
  return unusableFlag(flag, reason);
}

function refuseUnknown(where: string, others: Document): void {
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw configurationError(
      `${where}strict decoding error: ${unknown.map((name) => `unknown field "${name}"`).join(', ')}`,
    );
}

function parsed(path: string): Document {
  const document = parseFlagFile(path, flag);
  if (!isPlainObject(document)) throw configurationError(`${path}: must be an object`);
  return document;
}
