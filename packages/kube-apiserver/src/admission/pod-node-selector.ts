import { forbidden, invalidValue, isLabelValue, isQualifiedName, unclassifiedError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { namespaceOf } from '@kubechain/apiserver/resources';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  NamespaceLister,
} from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';

type Labels = Readonly<Record<string, string>>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';

export interface PodNodeSelectorOptions {
  readonly namespaces: NamespaceLister;
  /**
   * `podNodeSelectorPluginConfig` of its configuration: `a=b,c=d` for `clusterDefaultNodeSelector`, and by namespace
   * what its pods may select.
   */
  readonly selectors: Labels;
}

/**
 * Adds the node selector of their namespace to new pods, and holds them to what it may select
 * (plugin/pkg/admission/podnodeselector, 1.36).
 */
export class PodNodeSelector implements AdmissionPlugin {
  readonly name = 'PodNodeSelector';
  readonly #namespaces: NamespaceLister;
  readonly #selectors: Labels;

  constructor({ namespaces, selectors }: PodNodeSelectorOptions) {
    this.#namespaces = namespaces;
    this.#selectors = selectors;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const { spec } = attributes.object as Pod;
    if (spec === undefined) return;
    const added = await this.#selectorOf(attributes);
    refuseConflict(attributes, added);
    const merged = { ...added, ...spec.nodeSelector };
    if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
    await this.validate(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    refuseConflict(attributes, await this.#selectorOf(attributes));
    const allowed = labelsOf(this.#selectors[attributes.namespace]);
    if (Object.keys(allowed).length === 0) return;
    for (const [key, value] of Object.entries(selectorOf(attributes)))
      if (!Object.hasOwn(allowed, key) || allowed[key] !== value)
        throw refusal(attributes, 'pod node label selector labels conflict with its namespace whitelist');
  }

  async #selectorOf(attributes: AdmissionAttributes): Promise<Labels> {
    const { metadata }: KubeObject = await namespaceOf(this.#namespaces, attributes);
    return labelsOf(metadata?.annotations?.[annotation] ?? this.#selectors['clusterDefaultNodeSelector']);
  }
}

function selectorOf({ object }: AdmissionAttributes): Labels {
  return (object as Pod).spec?.nodeSelector ?? {};
}

function refuseConflict(attributes: AdmissionAttributes, added: Labels): void {
  const own = selectorOf(attributes);
  for (const [key, value] of Object.entries(added))
    if (Object.hasOwn(own, key) && own[key] !== value)
      throw refusal(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

function refusal({ object }: AdmissionAttributes, reason: string): Error {
  return forbidden({ group: '', resource: 'pods' }, object?.metadata?.name ?? '', reason);
}

/** Labels of `a=b,c=d` (labels.ConvertSelectorToLabelsMap). @throws StatusError */
function labelsOf(selector: string | undefined): Labels {
  const labels: Record<string, string> = {};
  if (selector === undefined || selector === '') return labels;
  for (const part of selector.split(',')) {
    const [key = '', value, ...more] = part.split('=').map((text) => text.trim());
    if (value === undefined || more.length > 0)
      throw unclassifiedError(`invalid selector: [${part.split('=').join(' ')}]`);
    const keyProblems = isQualifiedName(key);
    if (keyProblems.length > 0) throw unclassifiedError(String(invalidValue('<nil>', key, keyProblems.join('; '))));
    const problems = isLabelValue(value);
    if (problems.length > 0) throw unclassifiedError(String(invalidValue(`[${key}]`, value, problems.join('; '))));
    labels[key] = value;
  }
  return labels;
}
