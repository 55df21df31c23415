import { expect } from 'chai';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { readFileSync } from 'node:fs';
import { templateHash } from './template-hash.ts';

const recorded = JSON.parse(
  readFileSync(new URL('testing/template-hashes.json', import.meta.url), 'utf8'),
) as readonly { readonly hash: string; readonly template: PodTemplateSpec }[];

/** Hashes were written by controller.ComputeHash of 1.36.2, for templates as protobuf brings them. */
describe('the hash of a pod template', () => {
  for (const [i, { hash, template }] of recorded.entries())
    it(`is kube-controller-manager's for template ${i}, with ${Object.keys(template.spec ?? {}).join(', ')}`, () => {
      expect(templateHash(template, undefined)).to.equal(hash);
    });

  it('takes collisions in, and tells none from no count', () => {
    const { hash, template } = recorded[0]!;
    const hashes = [undefined, 0, 1].map((count) => templateHash(template, count));
    expect(hashes).to.deep.equal([hash, '84579959bc', '688bddf578']);
  });

  it('takes what is empty for what is missing', () => {
    const { hash, template } = recorded[0]!;
    const { metadata, spec } = template;
    const same = {
      metadata: { ...metadata, annotations: {} },
      spec: { containers: [], ...spec, volumes: [], hostNetwork: false },
    };
    expect(templateHash(same, undefined)).to.equal(hash);
  });
});
