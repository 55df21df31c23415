import { bytes, type HostileRow } from './row.ts';

const webSocket = (protocol = 'v5.channel.k8s.io'): string =>
  `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ` +
  `AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ${protocol}\r\n`;
const spdy = 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n';
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n{auth}${more}\r\n`;
const watch = '/api/v1/namespaces/hostile/configmaps?watch=true';
const pod = '/api/v1/namespaces/hostile/pods';

const frames = (name: string, frame: Uint8Array, protocol?: string): HostileRow =>
  bytes(`a watch over WebSocket, and ${name}`, [
    get(watch, protocol === undefined ? webSocket().replace(/Sec-WebSocket-Protocol.*\r\n/, '') : webSocket(protocol)),
    frame,
  ]);

/** A SPDY frame of control: its type, and a length that may lie. */
function control(type: number, payload: Uint8Array, length = payload.length): Uint8Array {
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, 0]);
  head.writeUIntBE(length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Upgrades and the frames behind them. */
export const streamRows: readonly HostileRow[] = [
  frames('a frame that is not masked', Buffer.from([0x81, 5, 104, 101, 108, 108, 111])),
  frames('a frame with reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])),
  frames('a frame of no known kind', Buffer.from([0x8b, 0x80, 0, 0, 0, 0])),
  frames('a ping of 60 KB', Buffer.concat([Buffer.from([0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0]), Buffer.alloc(65_535)])),
  frames('a ping in two parts', Buffer.from('098000000000808000000000', 'hex')),
  frames('a continuation of nothing', Buffer.from('808000000000', 'hex')),
  frames('100,000 parts of one message', Buffer.from(`018000000000${'008000000000'.repeat(100_000)}`, 'hex')),
  frames('a close of one byte', Buffer.from('888100000000ff', 'hex')),
  frames('a close with a reserved code', Buffer.from('88820000000003ed', 'hex')),
  frames('two closes', Buffer.from('888000000000888000000000', 'hex')),
  frames('text that is none', Buffer.from('818400000000ff fe c0 af'.replaceAll(' ', ''), 'hex')),
  frames('half a frame', Buffer.from([0x82])),
  frames(
    'messages of 8 MB',
    Buffer.concat([Buffer.from('82ff00000000007a120000000000', 'hex'), Buffer.alloc(8_000_000)]),
  ),
  bytes('a watch over WebSocket with 10,000 protocols', get(watch, webSocket(`${'a,'.repeat(10_000)}b`))),
  bytes('a watch over WebSocket of another version', get(watch, webSocket().replace('13', '8'))),
  bytes('a watch over WebSocket without a key', get(watch, webSocket().replace(/Sec-WebSocket-Key.*\r\n/, ''))),
  bytes(
    'a watch over WebSocket with a token that is none',
    `GET ${watch} HTTP/1.1\r\nHost: a\r\n${webSocket('base64url.bearer.authorization.k8s.io.%%%')}\r\n`,
    'nobody',
  ),
  bytes(
    'a watch over WebSocket with two tokens',
    get(watch, webSocket('base64url.bearer.authorization.k8s.io.YQ, base64url.bearer.authorization.k8s.io.Yg')),
  ),
  bytes('exec into a pod that is nowhere', get(`${pod}/kept/exec?command=a&stdout=true`, webSocket())),
  bytes('exec over SPDY into a pod that is nowhere', get(`${pod}/kept/exec?command=a&stdout=true`, spdy)),
  bytes('exec without streams', get(`${pod}/kept/exec?command=a`, webSocket())),
  bytes('exec of 20,000 arguments', get(`${pod}/kept/exec?stdout=true${'&command=a'.repeat(20_000)}`, webSocket())),
  bytes('exec without an upgrade', get(`${pod}/kept/exec?command=a&stdout=true`)),
  bytes('exec into nothing', get(`${pod}/nothing/exec?command=a&stdout=true`, webSocket())),
  bytes('exec by PUT', `PUT ${pod}/kept/exec?command=a&stdout=true HTTP/1.1\r\nHost: a\r\n{auth}${webSocket()}\r\n`),
  bytes('attach to a pod that is nowhere', get(`${pod}/kept/attach?stdin=true`, spdy)),
  bytes('port-forward to no port', get(`${pod}/kept/portforward`, webSocket('v4.channel.k8s.io'))),
  bytes('port-forward to port 99999', get(`${pod}/kept/portforward?ports=99999,-1,a`, webSocket('v4.channel.k8s.io'))),
  bytes(
    'port-forward to 20,000 ports',
    get(`${pod}/kept/portforward?${'ports=1&'.repeat(20_000)}`, webSocket('v4.channel.k8s.io')),
  ),
  bytes('port-forward over a tunnel', get(`${pod}/kept/portforward?ports=1`, webSocket('SPDY/3.1+portforward.k8s.io'))),
  bytes('SPDY: a header block that does not unpack', [
    get(`${pod}/kept/exec?command=a&stdout=true`, spdy),
    control(1, Buffer.alloc(4_096, 0xff)),
  ]),
  bytes('SPDY: a frame of 16 MB', [
    get(`${pod}/kept/exec?command=a&stdout=true`, spdy),
    control(1, Buffer.alloc(64), 0xffffff),
  ]),
  bytes('SPDY: 50,000 pings', [
    get(`${pod}/kept/exec?command=a&stdout=true`, spdy),
    Buffer.concat(Array.from({ length: 50_000 }, (_, i) => control(6, Buffer.from([0, 0, i >> 8, i & 0xff])))),
  ]),
  bytes('an upgrade with requests behind it', [get('/version', webSocket()), get('/version').repeat(100)]),
  bytes('an upgrade over HTTP/1.0', `GET ${watch} HTTP/1.0\r\nHost: a\r\n{auth}${webSocket()}\r\n`),
  bytes('an upgrade without Connection', get(watch, webSocket().replace('Connection: Upgrade\r\n', ''))),
  bytes('a log that is followed, of nothing', get(`${pod}/nothing/log?follow=true`)),
  bytes('a log of a pod that is nowhere', get(`${pod}/kept/log?tailLines=-1&limitBytes=-1&sinceSeconds=-1`)),
  bytes('a log without sense', get(`${pod}/kept/log?tailLines=9223372036854775808&sinceTime=yesterday`)),
  bytes('a proxy that upgrades', get(`${pod}/kept/proxy/a?b`, webSocket())),
  bytes('a proxy to a port without sense', get(`${pod}/kept:99999/proxy/`)),
  bytes('a proxy through a node', get('/api/v1/nodes/127.0.0.1:6443/proxy/version')),
];
