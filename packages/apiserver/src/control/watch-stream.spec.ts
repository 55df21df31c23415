import { decodeWatchFrame } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { watchStream } from './watch-stream.ts';

const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch';

describe('the stream of a watch', () => {
  it('is between two events of JSON where a line has ended', () => {
    const stream = watchStream('application/json')!;
    const seen = ['{"a":', '1}\n', '{}\n{', '', '}\n'].map((piece) => {
      stream.sent(Buffer.from(piece));
      return stream.betweenEvents;
    });
    expect(seen).to.deep.equal([false, true, false, false, true]);
  });

  it('is between two events of protobuf where as much has come as their lengths say', () => {
    const stream = watchStream(protobuf)!;
    const bytes = Buffer.from([0, 0, 0, 3, 1, 10, 3, 0, 0, 1, 2, ...Array.from({ length: 258 }, () => 10)]);
    const between: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      stream.sent(bytes.subarray(at, at + 1));
      if (stream.betweenEvents) between.push(at + 1);
    }
    expect(between).to.deep.equal([7, bytes.length]);
    const whole = watchStream(protobuf)!;
    whole.sent(bytes);
    expect(whole.betweenEvents).to.equal(true);
  });

  it('says in its own form that it has expired', () => {
    expect(JSON.parse(String(watchStream('application/json;charset=utf-8')!.expired()))).to.nested.include({
      type: 'ERROR',
      'object.code': 410,
      'object.reason': 'Expired',
    });
    const stream = watchStream(protobuf)!;
    const frame = stream.expired();
    stream.sent(frame);
    expect(stream.betweenEvents).to.equal(true);
    const { frame: event } = decodeWatchFrame(frame)!;
    expect(event.type).to.equal('ERROR');
    expect(event.object.toString('latin1')).to.match(/^k8s\0.*Status.*Expired/s);
  });

  it('is not known for other media types', () => {
    expect(watchStream('text/plain')).to.equal(undefined);
  });
});
