import { expect } from 'chai';
import { collectorAddress } from './collector-address.ts';
import { readTracingConfiguration, TracingConfigurationError } from './tracing-configuration.ts';

const headed = (rest: string, version = 'v1'): string =>
  `apiVersion: apiserver.config.k8s.io/${version}\nkind: TracingConfiguration\n${rest}`;

describe('tracing configuration', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    it(`is read in ${version}`, () => {
      const { endpoint, samplingRatePerMillion } = readTracingConfiguration(
        headed('endpoint: localhost:4317\nsamplingRatePerMillion: 12345\n', version),
      );
      expect([endpoint, samplingRatePerMillion]).to.deep.equal(['localhost:4317', 12_345]);
    });

  it('may leave everything to defaults', () => {
    const { endpoint, samplingRatePerMillion } = readTracingConfiguration(headed(''));
    expect([endpoint, samplingRatePerMillion]).to.deep.equal([undefined, undefined]);
  });

  const invalid = 'failed to validate tracing configuration: ';
  const unreadable = 'failed to read tracing config: unable to decode tracing configuration data: ';
  const rows: readonly (readonly [name: string, text: string, told: string])[] = [
    [
      'a negative rate',
      headed('samplingRatePerMillion: -1\n'),
      `${invalid}samplingRatePerMillion: Invalid value: -1: sampling rate must be positive`,
    ],
    [
      'a rate above one',
      headed('samplingRatePerMillion: 1000001\n'),
      `${invalid}samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or ` +
        'equal to one million',
    ],
    [
      'an address of the web',
      headed('endpoint: https://foo\n'),
      `${invalid}endpoint: Invalid value: "https://foo": unsupported scheme: https.  Options are none, dns, unix, or ` +
        'unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md',
    ],
    [
      'what is no address',
      headed('endpoint: "foo%$@#!:asd"\n'),
      `${invalid}endpoint: Invalid value: "dns://foo%$@#!:asd": parse "dns://foo%$@": invalid URL escape "%$"`,
    ],
    [
      'two mistakes',
      headed('endpoint: https://foo\nsamplingRatePerMillion: -1\n'),
      `${invalid}[samplingRatePerMillion: Invalid value: -1: sampling rate must be positive, endpoint: Invalid ` +
        'value: "https://foo": unsupported scheme: https.  Options are none, dns, unix, or unix-abstract.  See ' +
        'https://github.com/grpc/grpc/blob/master/doc/naming.md]',
    ],
    ['an unknown field', headed('foo: bar\n'), `${unreadable}strict decoding error: unknown field "foo"`],
    [
      'another kind',
      'apiVersion: apps/v1\nkind: DaemonSet\n',
      `${unreadable}no kind "DaemonSet" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"`,
    ],
  ];
  for (const [name, text, told] of rows)
    it(`is refused for ${name}`, () => {
      expect(() => readTracingConfiguration(text)).to.throw(TracingConfigurationError, told);
    });

  const addresses: readonly (readonly [target: string | undefined, address: string])[] = [
    [undefined, 'http://localhost:4317'],
    ['127.0.0.1:1234', 'http://127.0.0.1:1234'],
    ['collector', 'http://collector:443'],
    ['dns:///collector:4317', 'http://collector:4317'],
    ['dns://10.0.0.10/collector:4317', 'http://collector:4317'],
    ['dns:collector:4317', 'http://collector:4317'],
    ['[::1]:4317', 'http://[::1]:4317'],
    ['unix:///run/collector.sock', 'unix:///run/collector.sock'],
    ['unix-abstract:collector', 'unix:\0collector'],
  ];
  for (const [target, address] of addresses)
    it(`leads from ${target ?? 'nothing'} to ${JSON.stringify(address)}`, () => {
      expect(collectorAddress(target)).to.equal(address);
    });
});
