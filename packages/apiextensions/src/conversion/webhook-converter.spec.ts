import { isStatusError, notFound } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { configureLogging } from '@kubechain/apiserver/logging';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { ConversionMetrics } from './conversion-metrics.ts';
import { WebhookConverter } from './webhook-converter.ts';

const widget = (name: string, version = 'v1', more: object = {}): KubeObject => ({
  apiVersion: `x.io/${version}`,
  kind: 'Widget',
  metadata: { name, uid: `u-${name}`, resourceVersion: '5', labels: { a: 'b' }, ...more },
  spec: { host: name },
});

interface Sent {
  request: { uid: string; desiredAPIVersion: string; objects: KubeObject[] };
}

/** A webhook that answers with what `answer` makes of a review. */
function converter(
  answer: (review: Sent) => unknown,
  reviewVersions: readonly string[] = ['v1'],
): { readonly converter: WebhookConverter; readonly sent: Sent[]; readonly registry: MetricRegistry } {
  const sent: Sent[] = [];
  const registry = new MetricRegistry();
  const client = {
    post: (body: string) => {
      const review = JSON.parse(body) as Sent;
      sent.push(review);
      const out = answer(review);
      return Promise.resolve(Buffer.from(typeof out === 'string' ? out : JSON.stringify(out)));
    },
  };
  const metrics = new ConversionMetrics(registry);
  const options = { client, reviewVersions, newUID: () => 'uid-1', crd: 'widgets.x.io', metrics };
  return { converter: new WebhookConverter(options), sent, registry };
}

const review = (response: object | undefined): object => ({
  kind: 'ConversionReview',
  apiVersion: 'apiextensions.k8s.io/v1',
  ...(response === undefined ? {} : { response }),
});
const converted = (objects: readonly unknown[]): object =>
  review({ uid: 'uid-1', result: { status: 'Success' }, convertedObjects: objects });

async function messageOf(answer: (sent: Sent) => unknown, reviewVersions?: readonly string[]): Promise<string> {
  try {
    await converter(answer, reviewVersions).converter.convert([widget('one')], 'x.io/v2');
  } catch (error) {
    expect(isStatusError(error)).to.equal(true);
    return (error as Error).message;
  }
  return 'converted';
}

describe('WebhookConverter', () => {
  let lines: string[];
  beforeEach(() => {
    lines = [];
    configureLogging({ verbosity: 5, write: (line) => void lines.push(line) });
  });
  afterEach(() => {
    configureLogging({ verbosity: 0 });
  });

  it('reads answers of as many values as convertedValues says, in proportion to what it asks', async () => {
    const many = `[${'1,'.repeat(260_000)}1]`;
    const text = (sent: Sent, spec: string): string =>
      JSON.stringify(
        converted(sent.request.objects.map((object) => ({ ...object, apiVersion: 'x.io/v2', spec: '?' }))),
      ).replaceAll('"?"', spec);
    expect(await messageOf((sent) => text(sent, many))).to.contain('the answer has more values than are read');
    const large = { ...widget('large'), spec: JSON.parse(many) as unknown } as KubeObject;
    const { converter: webhook } = converter((sent) => text(sent, many));
    expect(await webhook.convert([large], 'x.io/v2')).to.have.length(1);
  });

  it('asks once for all objects of other versions, without resourceVersion, and keeps the order', async () => {
    const { converter: webhook, sent } = converter(({ request }) =>
      converted(
        request.objects.map((object) => ({
          ...object,
          apiVersion: request.desiredAPIVersion,
          spec: { address: object.metadata?.name },
        })),
      ),
    );
    const result = await webhook.convert([widget('one'), widget('two', 'v2'), widget('three')], 'x.io/v2');
    expect(result.map(({ apiVersion, spec, metadata }) => [apiVersion, spec, metadata?.resourceVersion])).to.deep.equal(
      [
        ['x.io/v2', { address: 'one' }, '5'],
        ['x.io/v2', { host: 'two' }, '5'],
        ['x.io/v2', { address: 'three' }, '5'],
      ],
    );
    expect(sent).to.have.lengthOf(1);
    expect(sent[0]?.request.objects.map(({ metadata }) => [metadata?.name, metadata?.resourceVersion])).to.deep.equal([
      ['one', undefined],
      ['three', undefined],
    ]);
  });

  it('asks nobody when nothing has to be converted', () => {
    const { converter: webhook, sent } = converter(() => 'never');
    const objects = [widget('one', 'v2')];
    expect(webhook.convert(objects, 'x.io/v2')).to.equal(objects);
    expect(sent).to.have.lengthOf(0);
  });

  it('takes labels and annotations from the answer and all other metadata from the object', async () => {
    const { converter: webhook } = converter(() =>
      converted([
        {
          apiVersion: 'x.io/v2',
          kind: 'Widget',
          metadata: { name: 'one', uid: 'u-one', labels: { c: 'd' }, finalizers: ['f'], generation: 9 },
          spec: {},
        },
      ]),
    );
    const [object] = await webhook.convert([widget('one', 'v1', { annotations: { x: 'y' } })], 'x.io/v2');
    expect(object?.metadata).to.deep.equal({ name: 'one', uid: 'u-one', resourceVersion: '5', labels: { c: 'd' } });
  });

  const call = 'conversion webhook for x.io/v1, Kind=Widget';
  const good = { apiVersion: 'x.io/v2', kind: 'Widget', metadata: { name: 'one', uid: 'u-one' } };
  const failures: readonly { readonly name: string; readonly answer: unknown; readonly message: string }[] = [
    {
      name: 'text',
      answer: 'this is not json',
      message: String.raw`${call} failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    },
    {
      name: 'a review of another kind',
      answer: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      message:
        `${call} failed: no kind "AdmissionReview" is registered for version "admission.k8s.io/v1" in scheme ` +
        '"k8s.io/apiserver/pkg/util/webhook/client.go:71"',
    },
    { name: 'no response', answer: review(undefined), message: `${call} failed: no response provided` },
    {
      name: 'another uid',
      answer: review({ uid: 'other', result: { status: 'Success' } }),
      message: `${call} failed: expected response.uid="uid-1", got "other"`,
    },
    {
      name: 'a refusal',
      answer: review({ uid: 'uid-1', result: { status: 'Failure', message: 'I refuse' } }),
      message: `${call} failed: I refuse`,
    },
    {
      name: 'a refusal without words',
      answer: review({ uid: 'uid-1', result: { status: 'Failure' } }),
      message: `${call} failed: response.result.status was 'Failure', not 'Success'`,
    },
    { name: 'too few objects', answer: converted([]), message: `${call} returned 0 objects, expected 1` },
    { name: 'null for an object', answer: converted([null]), message: 'unexpected end of JSON input' },
    {
      name: 'another version',
      answer: converted([{ ...good, apiVersion: 'x.io/v3' }]),
      message: `${call} returned invalid object at index 0: invalid groupVersion (expected x.io/v2, received x.io/v3)`,
    },
    {
      name: 'another kind',
      answer: converted([{ ...good, kind: 'Y' }]),
      message: `${call} returned invalid object at index 0: invalid kind (expected Widget, received Y)`,
    },
    {
      name: 'another name',
      answer: converted([{ ...good, metadata: { name: 'two', uid: 'u-one' } }]),
      message: `${call} returned invalid object: must have the same name: one != two`,
    },
    {
      name: 'another uid of the object',
      answer: converted([{ ...good, metadata: { name: 'one', uid: 'x' } }]),
      message: `${call} returned invalid object: must have the same UID: u-one != x`,
    },
    {
      name: 'a label that is no text',
      answer: converted([{ ...good, metadata: { ...good.metadata, labels: { a: 1 } } }]),
      message:
        `${call} returned invalid metadata: metadata.labels[a] must be ` + 'a string, but is int64 in converted object',
    },
  ];
  for (const { name, answer, message } of failures)
    it(`refuses ${name}`, async () => {
      expect(await messageOf(() => answer)).to.equal(message);
    });

  it('needs a review version that both know', async () => {
    expect(await messageOf(() => converted([good]), ['v7'])).to.equal('no supported conversion review versions');
  });

  const thrown = (error: unknown) => (): never => {
    throw error;
  };
  const ends: readonly { readonly end: string; readonly answer: () => unknown; readonly type: string }[] = [
    { end: 'converted', answer: () => converted([good]), type: '' },
    { end: 'timeout', answer: thrown(new DOMException('late', 'TimeoutError')), type: 'call_failure' },
    { end: 'refused', answer: thrown(notFound({ group: '', resource: 'x' }, 'y')), type: 'call_failure' },
    { end: 'no_answer', answer: thrown(new TypeError('connection refused')), type: 'call_failure' },
    { end: 'invalid_answer', answer: () => review(undefined), type: 'malformed_response_failure' },
    {
      end: 'failed',
      answer: () => review({ uid: 'uid-1', result: { status: 'Failure', message: 'no' } }),
      type: 'malformed_response_failure',
    },
    { end: 'partial_answer', answer: () => converted([good, good]), type: 'partial_response_failure' },
    { end: 'invalid_object', answer: () => converted([null]), type: 'invalid_converted_object_failure' },
  ];
  for (const { answer, end, type } of ends)
    it(`tells once of a call that ended as ${end}, and counts it`, async () => {
      const { converter: webhook, registry } = converter(answer);
      await Promise.resolve(webhook.convert([widget('one')], 'x.io/v2')).catch(() => undefined);
      const failure_type = type === '' ? '' : `conversion_webhook_${type}`;
      const labelsOf = (name: string): unknown[] =>
        registry.samples(`apiserver_${name}`).map(({ labels, value }) => [labels, value]);
      expect(labelsOf('conversion_webhook_terminations_total')).to.deep.equal([
        [{ crd: 'widgets.x.io', reason: end }, 1],
      ]);
      expect(labelsOf('conversion_webhook_request_total')).to.deep.equal([
        [{ result: type === '' ? 'success' : 'failure', failure_type }, 1],
      ]);
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include(`crd="widgets.x.io" reason="${end}" to="v2"`);
    });

  it('counts no request of a webhook that was not asked', async () => {
    const { converter: webhook, registry } = converter(() => converted([good]), ['v7']);
    await Promise.resolve(webhook.convert([widget('one')], 'x.io/v2')).catch(() => undefined);
    const [sample] = registry.samples('apiserver_conversion_webhook_terminations_total');
    expect(sample?.labels?.['reason']).to.equal('unsupported');
    expect(registry.samples('apiserver_conversion_webhook_request_total')).to.have.lengthOf(0);
  });
});
