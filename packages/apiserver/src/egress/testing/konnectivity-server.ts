import { Server, ServerCredentials, type ServerDuplexStream, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { connect, type Socket } from 'node:net';

/** Packets by the names of konnectivity's protocol (konnectivity-client proto/client/client.proto, v0.34). */
interface Packet {
  readonly type: string;
  readonly dialRequest?: { readonly protocol: string; readonly address: string; readonly random: string };
  readonly dialResponse?: { readonly error?: string; readonly connectID?: string; readonly random: string };
  readonly data?: { readonly connectID: string; readonly data: Buffer };
  readonly closeRequest?: { readonly connectID: string };
  readonly closeResponse?: { readonly connectID: string; readonly error?: string };
}

const text = (id: number): object => ({ type: 'string', id });
const number = (id: number): object => ({ type: 'int64', id });
const types = ['DIAL_REQ', 'DIAL_RSP', 'CLOSE_REQ', 'CLOSE_RSP', 'DATA', 'DIAL_CLS', 'DRAIN'];
const schema = {
  nested: {
    ProxyService: {
      methods: {
        Proxy: { requestType: 'Packet', requestStream: true, responseType: 'Packet', responseStream: true },
      },
    },
    PacketType: { values: Object.fromEntries(types.map((type, value) => [type, value])) },
    Packet: {
      fields: {
        type: { type: 'PacketType', id: 1 },
        dialRequest: { type: 'DialRequest', id: 2 },
        dialResponse: { type: 'DialResponse', id: 3 },
        data: { type: 'Data', id: 4 },
        closeRequest: { type: 'CloseRequest', id: 5 },
        closeResponse: { type: 'CloseResponse', id: 6 },
        closeDial: { type: 'CloseDial', id: 7 },
      },
    },
    DialRequest: { fields: { protocol: text(1), address: text(2), random: number(3) } },
    DialResponse: { fields: { error: text(1), connectID: number(2), random: number(3) } },
    CloseRequest: { fields: { connectID: number(1) } },
    CloseResponse: { fields: { error: text(1), connectID: number(2) } },
    CloseDial: { fields: { random: number(1) } },
    Data: { fields: { connectID: number(1), error: text(2), data: { type: 'bytes', id: 3 } } },
  },
};

/** A konnectivity server at a unix socket that makes the connections itself, by another implementation of gRPC. */
export class KonnectivityServer {
  /** `protocol address` of every dial, in order. */
  readonly asked: string[] = [];
  /** Numbers of connections that their clients have closed. */
  readonly closed: string[] = [];
  /** What dials are answered instead of connections. */
  refusal: string | undefined;
  readonly #server = new Server();
  readonly #sockets = new Set<Socket>();
  #connections = 6;

  async listen(path: string): Promise<void> {
    const definition = fromJSON(schema as never, { longs: String, enums: String })['ProxyService'];
    const implementation: UntypedServiceImplementation = {
      Proxy: (call: ServerDuplexStream<Packet, Packet>) => {
        this.#serve(call);
      },
    };
    this.#server.addService(definition as never, implementation);
    await new Promise<void>((done, failed) => {
      this.#server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) => {
        if (error === null) done();
        else failed(error);
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.forceShutdown();
  }

  #serve(call: ServerDuplexStream<Packet, Packet>): void {
    const connectID = String(++this.#connections);
    let socket: Socket | undefined;
    call.on('error', () => socket?.destroy());
    call.on('end', () => {
      socket?.destroy();
      call.end();
    });
    call.on('data', (packet: Packet) => {
      switch (packet.type) {
        case 'DIAL_REQ':
          socket = this.#dial(call, packet, connectID);
          return;
        case 'DATA':
          socket?.write(packet.data?.data ?? '');
          return;
        case 'CLOSE_REQ':
          this.closed.push(packet.closeRequest?.connectID ?? '');
          socket?.end();
          return;
        default:
      }
    });
  }

  #dial(call: ServerDuplexStream<Packet, Packet>, { dialRequest }: Packet, connectID: string): Socket | undefined {
    const { address = '', protocol = '', random = '' } = dialRequest ?? {};
    this.asked.push(`${protocol} ${address}`);
    if (this.refusal !== undefined) {
      call.write({ type: 'DIAL_RSP', dialResponse: { error: this.refusal, random } });
      return undefined;
    }
    const colon = address.lastIndexOf(':');
    const socket = connect(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
      call.write({ type: 'DIAL_RSP', dialResponse: { connectID, random } });
    });
    this.#sockets.add(socket);
    socket.on('data', (data) => {
      call.write({ type: 'DATA', data: { connectID, data } });
    });
    socket.on('error', (error) => {
      call.write({ type: 'DIAL_RSP', dialResponse: { error: error.message, random } });
    });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      call.write({ type: 'CLOSE_RSP', closeResponse: { connectID } });
    });
    return socket;
  }
}
