import { schemaFor } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { goDump } from './go-dump.ts';

const dump = (type: string, value: unknown): string => goDump(schemaFor(`io.k8s.api.core.v1.${type}`), value);

/** Expectations are what dump.ForHash of k8s.io/utils writes for the same Go objects. */
describe('how Go prints objects for hashes', () => {
  it('shows all fields with types, and what is not set', () => {
    expect(dump('KeyToPath', { key: 'k' })).to.equal('(v1.KeyToPath){Key:(string)k Path:(string) Mode:(*int32)<nil>}');
  });
  it('follows pointers, and shows embedded structs as one field', () => {
    expect(dump('ConfigMapEnvSource', { name: 'm', optional: true })).to.equal(
      '(v1.ConfigMapEnvSource){LocalObjectReference:(v1.LocalObjectReference){Name:(string)m} Optional:(*bool)true}',
    );
  });
  it('sorts maps, and shows quantities as they are kept', () => {
    const quantity = (value: string, scale: string, text: string, format: string): string =>
      `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} ` +
      `d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
    expect(dump('ResourceRequirements', { limits: { memory: '2Gi', more: '8Gi', cpu: '1500m' } })).to.equal(
      `(v1.ResourceRequirements){Limits:(v1.ResourceList)map[cpu:${quantity('1500', '-3', '1500m', 'DecimalSI')} ` +
        `memory:${quantity('2147483648', '0', '2Gi', 'BinarySI')} ` +
        `more:${quantity('8589934592', '0', '', 'BinarySI')}] ` +
        'Requests:(v1.ResourceList)<nil> Claims:([]v1.ResourceClaim)<nil>}',
    );
  });
  it('shows large quantities as words of nano units', () => {
    expect(dump('ResourceRequirements', { limits: { a: '-2Pi' } })).to.include(
      'Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)true abs:(big.nat)[5764607523034234880 122070]} scale:(inf.Scale)9}',
    );
  });
  it('tells ports by number from ports by name', () => {
    expect(dump('TCPSocketAction', { port: 80 })).to.include('{Type:(intstr.Type)0 IntVal:(int32)80 StrVal:(string)}');
    expect(dump('TCPSocketAction', { port: 'a' })).to.include('{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)a}');
  });
});
