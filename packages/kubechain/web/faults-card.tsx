import type { ActiveFault } from '@kubechain/apiserver/control';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, get } from './calls.ts';
import {
  faultEffects,
  faultRuleOf,
  faultTargets,
  isOfClients,
  type FaultForm,
  type FaultTarget,
} from './fault-form.ts';
import { useLoaded } from './use-model.ts';

export interface Acting {
  /** Does something and says what came of it. */
  readonly act: (what: string, done: () => Promise<unknown>) => Promise<void>;
}

const firstForm: FaultForm = {
  target: 'requests',
  verbs: 'create',
  resources: 'configmaps',
  names: '',
  effect: 'status 409',
  count: '',
};

const titles: Readonly<Record<FaultTarget, string>> = {
  requests: 'requests',
  watches: 'watches',
  webhook: 'calls of webhooks',
  apiservice: 'calls of extension servers',
  delegate: 'calls of the next server',
  store: 'calls of the store',
};

/** Sets faults of clients' requests and of what servers call, and tells how often each has happened. */
export function Faults({ act }: Acting): JSX.Element {
  const { again, value } = useLoaded('f', () => get<{ readonly faults: readonly ActiveFault[] }>('/v1/faults'), 1_000);
  const [form, setForm] = useState(firstForm);
  const change = (part: Partial<FaultForm>): void => setForm({ ...form, ...part });
  const field = (label: string, name: 'names' | 'resources' | 'verbs'): JSX.Element => (
    <label>
      {label} <input value={form[name]} onInput={(event) => change({ [name]: event.currentTarget.value })} />
    </label>
  );
  return (
    <article class="card">
      <h2>Faults</h2>
      <form
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void act('set a fault', () => call('POST', '/v1/faults', faultRuleOf(form)).then(again));
        }}
      >
        <label>
          Of{' '}
          <select
            value={form.target}
            onChange={(event) => {
              const target = event.currentTarget.value as FaultTarget;
              change({ target, effect: faultEffects[target][0] ?? '' });
            }}
          >
            {faultTargets.map((target) => (
              <option key={target} value={target}>
                {titles[target]}
              </option>
            ))}
          </select>
        </label>
        {form.target === 'requests' && field('Verbs', 'verbs')}
        {isOfClients(form.target) ? field('Resources', 'resources') : field('Names', 'names')}
        <label>
          What happens{' '}
          <select value={form.effect} onChange={(event) => change({ effect: event.currentTarget.value })}>
            {faultEffects[form.target].map((effect) => (
              <option key={effect}>{effect}</option>
            ))}
          </select>
        </label>
        <label>
          How often{' '}
          <input
            inputMode="numeric"
            placeholder="always"
            value={form.count}
            onInput={(event) => change({ count: event.currentTarget.value.replaceAll(/\D/g, '') })}
          />
        </label>
        <button type="submit">Set</button>
      </form>
      <ul class="rows">
        {value?.faults.map(({ happened, id, rule }) => (
          <li key={id}>
            <code>{JSON.stringify(rule)}</code>
            <span>
              happened <b>{happened}</b> times
            </span>
            <button
              type="button"
              onClick={() => void act('remove', () => call('DELETE', `/v1/faults/${id}`).then(again))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </article>
  );
}
