import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '@kubechain/apiserver/resources';
import { creationOf } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import { ImagePolicyWebhook } from './image-policy-webhook.ts';
import type { ImagePolicyWebhookOptions } from './image-policy-webhook.ts';

const pod = (annotations: Record<string, string> = {}): KubeObject => ({
  kind: 'Pod',
  metadata: { name: 'x', annotations },
  spec: {
    containers: [{ name: 'c', image: 'c:1' }],
    initContainers: [{ name: 'i', image: 'i:1' }],
    ephemeralContainers: [{ name: 'e', image: 'e:1' }],
  },
});

interface Asking {
  readonly asked: KubeObject[];
  readonly annotations: Record<string, string>;
  readonly clock: { nowMs: number };
  /** `allowed`, or the words of the refusal. */
  readonly judge: (object?: KubeObject, attributes?: Partial<AdmissionAttributes>) => Promise<string>;
}

/** A webhook that answers with a status, or with what it throws. */
function asking(answer: () => object, more: Partial<ImagePolicyWebhookOptions> = {}): Asking {
  const asked: KubeObject[] = [];
  const annotations: Record<string, string> = {};
  const clock = { nowMs: 0 };
  const plugin = new ImagePolicyWebhook({
    client: {
      create: (path, object) => {
        expect(path).to.equal('');
        asked.push(object);
        return new Promise((resolve) => {
          resolve({ ...object, status: answer() });
        });
      },
    },
    clock: { now: () => clock.nowMs },
    sleep: () => Promise.resolve(),
    allowTTLMs: 2_000,
    denyTTLMs: 1_000,
    retryBackoffMs: 1,
    defaultAllow: false,
    ...more,
  });
  return {
    asked,
    annotations,
    clock,
    judge: async (object = pod(), attributes = {}) => {
      try {
        await plugin.validate(
          creationOf({
            kind: { group: '', version: 'v1', kind: 'Pod' },
            resource: { group: '', version: 'v1', resource: 'pods' },
            object,
            addAuditAnnotation: (key, value) => {
              annotations[key] = value;
            },
            ...attributes,
          }),
        );
        return 'allowed';
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

describe('ImagePolicyWebhook', () => {
  it('asks about the images of a pod, with the annotations that are for it', async () => {
    const { annotations, asked, judge } = asking(() => ({ allowed: true, auditAnnotations: { by: 'me' } }));
    expect(await judge(pod({ 'x.image-policy.k8s.io/ticket': '1', other: '2' }))).to.equal('allowed');
    expect(asked).to.deep.equal([
      {
        apiVersion: 'imagepolicy.k8s.io/v1alpha1',
        kind: 'ImageReview',
        metadata: {},
        spec: {
          containers: [{ image: 'c:1' }, { image: 'i:1' }],
          annotations: { 'x.image-policy.k8s.io/ticket': '1' },
          namespace: 'ns',
        },
      },
    ]);
    expect(annotations).to.deep.equal({ 'imagepolicywebhook.image-policy.k8s.io/by': 'me' });
  });
  it('asks about debug containers where they are added', async () => {
    const { asked, judge } = asking(() => ({ allowed: true }));
    await judge(pod(), { operation: 'UPDATE', subresource: 'ephemeralcontainers' });
    expect(asked[0]?.['spec']).to.deep.include({ containers: [{ image: 'e:1' }] });
  });
  it('asks about nothing else', async () => {
    const { asked, judge } = asking(() => ({ allowed: false }));
    expect(await judge(pod(), { subresource: 'status' })).to.equal('allowed');
    expect(await judge(pod(), { resource: { group: '', version: 'v1', resource: 'services' } })).to.equal('allowed');
    expect(asked).to.deep.equal([]);
  });
  for (const [reason, expected] of [
    ['', 'pods "x" is forbidden: one or more images rejected by webhook backend'],
    ['old', 'pods "x" is forbidden: image policy webhook backend denied one or more images: old'],
  ] as const)
    it(`refuses ${reason === '' ? 'without a reason' : 'with the reason that it is given'}`, async () => {
      expect(await asking(() => ({ allowed: false, reason })).judge()).to.equal(expected);
    });
  for (const [allowed, keptMs] of [
    [true, 2_000],
    [false, 1_000],
  ] as const)
    it(`believes ${allowed ? 'a yes' : 'a no'} for as long as it is told to`, async () => {
      const { asked, clock, judge } = asking(() => ({ allowed }));
      await judge();
      clock.nowMs += keptMs - 1;
      await judge();
      expect(asked).to.have.length(1);
      clock.nowMs += 1;
      await judge();
      expect(asked).to.have.length(2);
    });
  const down = (): object => {
    throw new StatusError({ status: 'Failure', code: 500, message: 'down' });
  };
  it('refuses when nobody answers, after several attempts', async () => {
    const { asked, judge } = asking(down);
    expect(await judge()).to.equal('pods "x" is forbidden: down');
    expect(asked).to.have.length(5);
  });
  it('lets in what nobody answers about, and marks it, where it is told to', async () => {
    const { annotations, judge } = asking(down, { defaultAllow: true });
    const object = pod();
    expect(await judge(object)).to.equal('allowed');
    expect(object.metadata?.annotations).to.deep.equal({ 'alpha.image-policy.k8s.io/failed-open': 'true' });
    expect(annotations).to.deep.equal({ 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' });
  });
});
