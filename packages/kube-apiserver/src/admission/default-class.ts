import { betaStorageClassAnnotation } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { concerns } from './attributes.ts';
import type { ObjectLookup } from './object-lookup.ts';

/** Which objects have a class, and how a class says that it is the default one. */
interface ClassRules {
  readonly plugin: string;
  readonly group: string;
  readonly resource: string;
  /** Field of the spec that names the class. */
  readonly field: string;
  /** Annotation of old that names it as well. */
  readonly annotation: string;
  readonly defaultAnnotations: readonly string[];
}

const ingresses: ClassRules = {
  plugin: 'DefaultIngressClass',
  group: 'networking.k8s.io',
  resource: 'ingresses',
  field: 'ingressClassName',
  annotation: 'kubernetes.io/ingress.class',
  defaultAnnotations: ['ingressclass.kubernetes.io/is-default-class'],
};
const claims: ClassRules = {
  plugin: 'DefaultStorageClass',
  group: '',
  resource: 'persistentvolumeclaims',
  field: 'storageClassName',
  annotation: betaStorageClassAnnotation,
  defaultAnnotations: [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
};

/** Gives new objects without a class the default one. */
class DefaultClass implements AdmissionPlugin {
  readonly name: string;
  readonly #rules: ClassRules;
  readonly #classes: ObjectLookup;

  constructor(rules: ClassRules, classes: ObjectLookup) {
    this.name = rules.plugin;
    this.#rules = rules;
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { annotation, defaultAnnotations, field, group, resource } = this.#rules;
    if (!concerns(attributes, group, resource)) return;
    const { metadata, spec } = attributes.object as KubeObject & { readonly spec?: Record<string, unknown> };
    if (spec === undefined || spec[field] !== undefined || metadata?.annotations?.[annotation] !== undefined) return;
    const name = defaultOf(await this.#classes.list(), defaultAnnotations)?.metadata?.name;
    if (name !== undefined) spec[field] = name;
  }
}

/** Ingresses get the default ingress class (plugin/pkg/admission/network/defaultingressclass, 1.36). */
export function defaultIngressClass(classes: ObjectLookup): AdmissionPlugin {
  return new DefaultClass(ingresses, classes);
}
/** Claims get the default storage class (plugin/pkg/admission/storage/storageclass/setdefault, 1.36). */
export function defaultStorageClass(classes: ObjectLookup): AdmissionPlugin {
  return new DefaultClass(claims, classes);
}

/** The class that is marked as default by one of these annotations; of several, the newest, then the first by name. */
function defaultOf(classes: readonly KubeObject[], annotations: readonly string[]): KubeObject | undefined {
  const marked = classes.filter(({ metadata }) =>
    annotations.some((annotation) => metadata?.annotations?.[annotation] === 'true'),
  );
  return marked.toSorted(
    (a, b) => created(b) - created(a) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1),
  )[0];
}

function created({ metadata }: KubeObject): number {
  return Date.parse(metadata?.creationTimestamp ?? '') || 0;
}
