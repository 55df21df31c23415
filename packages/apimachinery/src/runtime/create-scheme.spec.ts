import { expect } from 'chai';
import type { Field } from '../schema/schema.ts';
import { builtinScheme } from '../builtin/builtin-scheme.ts';
import { createScheme, UnknownKindError } from './create-scheme.ts';
import { builtinResources } from './resource-facts.ts';
import { compareVersions } from './version-order.ts';

describe('builtinScheme', () => {
  const scheme = builtinScheme();

  it('knows the kind, list kind and subresource kinds of every served resource', () => {
    const missing: string[] = [];
    for (const row of builtinResources()) {
      const kinds = [
        { group: row.group, version: row.version, kind: row.kind },
        ...row.subresources.map((sub) => ({
          group: sub.group ?? row.group,
          version: sub.version ?? row.version,
          kind: sub.kind,
        })),
      ];
      if (row.listKind !== undefined) kinds.push({ group: row.group, version: row.version, kind: row.listKind });
      for (const gvk of kinds) if (scheme.kind(gvk)?.schema.kind !== 'struct') missing.push(JSON.stringify(gvk));
    }
    expect(missing).to.deep.equal([]);
  });

  it('orders versions by preference', () => {
    expect(scheme.versions('autoscaling')).to.deep.equal(['v2', 'v1']);
    expect(scheme.versions('nonsense')).to.deep.equal([]);
  });

  it('has options and watch events in every group version', () => {
    expect(scheme.kind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.goType).to.equal('v1.DeleteOptions');
    expect(scheme.kind({ group: 'batch', version: 'v1', kind: 'WatchEvent' })?.goType).to.equal('v1.WatchEvent');
    // What requests may ask for but never send is no kind of the scheme.
    expect(scheme.kind({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' })).to.equal(undefined);
  });

  it('lets Events of both groups meet in one hub type', () => {
    const core = scheme.kind({ group: '', version: 'v1', kind: 'Event' }),
      events = scheme.kind({ group: 'events.k8s.io', version: 'v1', kind: 'Event' });
    expect(core?.hubType).to.equal('core.Event').and.equal(events?.hubType);
  });

  it('converts by changing apiVersion where no converter is needed', () => {
    const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy', spec: {} };
    expect(scheme.convert(object, { group: 'admissionregistration.k8s.io', version: 'v1beta1' }))
      .to.equal(object)
      .and.have.property('apiVersion', 'admissionregistration.k8s.io/v1beta1');
  });
});

describe('createScheme', () => {
  const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' };
  const kind = {
    gvk,
    goType: 'v1.Widget',
    schema: {
      kind: 'struct',
      mapType: 'granular',
      fields: new Map<string, Field>([
        ['size', { name: 'size', required: false, default: 3, schema: { kind: 'scalar', type: 'int32' } }],
      ]),
    },
  } as const;

  it('makes schemes that differ in their defaults and know nothing of each other', () => {
    const base = createScheme({ kinds: [kind] });
    const named = (name: string): string => {
      const scheme = base.withDefaulters([{ gvk, apply: (object) => void (object['name'] ??= name) }]);
      const object = { apiVersion: 'example.com/v1', kind: 'Widget' } as Record<string, unknown>;
      scheme.applyDefaults(object);
      return String(object['name']);
    };
    expect([named('first'), named('second')]).to.deep.equal(['first', 'second']);
    const object = { apiVersion: 'example.com/v1', kind: 'Widget' };
    base.applyDefaults(object);
    expect(object).to.deep.equal({ apiVersion: 'example.com/v1', kind: 'Widget', size: 3 });
  });

  it('applies schema defaults, then registered functions', () => {
    const scheme = createScheme({
      kinds: [kind],
      defaulters: [
        {
          gvk,
          apply: (object) => {
            object['twice'] = (object['size'] as number) * 2;
          },
        },
      ],
    });
    const object = { apiVersion: 'example.com/v1', kind: 'Widget' };
    scheme.applyDefaults(object);
    expect(object).to.deep.include({ size: 3, twice: 6 });
  });

  it('awaits asynchronous converters and sets apiVersion', async () => {
    const scheme = createScheme({
      kinds: [kind],
      converters: [
        {
          from: gvk,
          to: { group: 'example.com', version: 'v2' },
          convert: async (object) => Promise.resolve({ ...object, converted: true }),
        },
      ],
    });
    expect(
      await scheme.convert({ apiVersion: 'example.com/v1', kind: 'Widget' }, { group: 'example.com', version: 'v2' }),
    ).to.deep.equal({ apiVersion: 'example.com/v2', kind: 'Widget', converted: true });
  });

  it('refuses a defaulter for a kind that it does not have', () => {
    expect(() => createScheme({ kinds: [], defaulters: [{ gvk, apply: () => undefined }] })).to.throw(
      UnknownKindError,
      'Widget in example.com/v1',
    );
  });
});

describe('compareVersions', () => {
  it('puts stable before beta before alpha, newest first', () => {
    expect(['v1alpha1', 'foo', 'v1', 'v2beta1', 'v10', 'v1beta2', 'bar', 'v2'].toSorted(compareVersions)).to.deep.equal(
      ['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1alpha1', 'bar', 'foo'],
    );
  });
});
