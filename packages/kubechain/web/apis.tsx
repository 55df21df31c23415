import type { JSX } from 'preact';
import { get } from './calls.ts';
import { useLoaded } from './use-model.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
interface CRD {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly scope: string;
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly storedVersions?: readonly string[] };
}
interface APIService {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly service?: { readonly name: string; readonly namespace: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
interface List<T> {
  readonly items: readonly T[];
}

/** Conditions that tell of trouble when they are True. */
const badWhenTrue = ['NonStructuralSchema', 'Terminating', 'KubernetesAPIApprovalPolicyConformant'];

/** CRDs and APIServices, with what they say about themselves. */
export function APIs({ search }: { readonly search: string }): JSX.Element {
  const crds = useLoaded(
    'crds',
    () => get<List<CRD>>('/kube/apis/apiextensions.k8s.io/v1/customresourcedefinitions'),
    3_000,
  );
  const services = useLoaded(
    'services',
    () => get<List<APIService>>('/kube/apis/apiregistration.k8s.io/v1/apiservices'),
    3_000,
  );
  const wanted = ({ metadata }: CRD | APIService): boolean => metadata.name.includes(search.toLowerCase());
  const remote = (service: APIService): number => (service.spec.service === undefined ? 1 : 0);
  return (
    <section class="fill">
      <h2>Custom resource definitions</h2>
      {crds.error !== '' && <p class="error">{crds.error}</p>}
      {crds.value?.items.length === 0 && <p class="empty">There are none.</p>}
      <div class="cards">
        {crds.value?.items.filter(wanted).map((crd) => (
          <article key={crd.metadata.name} class="card">
            <h3>{crd.metadata.name}</h3>
            <p class="dim">
              {crd.spec.scope},{' '}
              {crd.spec.versions
                .map(({ name, served, storage }) => `${name}${storage ? ' (stored)' : served ? '' : ' (not served)'}`)
                .join(', ')}
            </p>
            <Conditions conditions={crd.status?.conditions} />
          </article>
        ))}
      </div>
      <h2>API services</h2>
      {services.error !== '' && <p class="error">{services.error}</p>}
      <div class="cards">
        {services.value?.items
          .filter(wanted)
          .toSorted((a, b) => remote(a) - remote(b))
          .map((service) => (
            <article key={service.metadata.name} class="card">
              <h3>{service.metadata.name}</h3>
              <p class="dim">
                {service.spec.service === undefined
                  ? 'of this chain'
                  : `by ${service.spec.service.namespace}/${service.spec.service.name}`}
              </p>
              <Conditions conditions={service.status?.conditions} />
            </article>
          ))}
      </div>
    </section>
  );
}

function Conditions({ conditions = [] }: { readonly conditions: readonly Condition[] | undefined }): JSX.Element {
  return (
    <ul class="conditions">
      {conditions.map(({ message, reason, status, type }) => {
        const good = (status === 'True') !== badWhenTrue.includes(type);
        return (
          <li key={type}>
            <span class={`tag ${good ? 'good' : 'bad'}`}>
              {type}: {status}
            </span>{' '}
            {good ? <span class="dim">{reason}</span> : <span>{message ?? reason}</span>}
          </li>
        );
      })}
    </ul>
  );
}
