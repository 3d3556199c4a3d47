import { Socket } from 'node:net'
import pg from 'pg'

/** A client with access to its socket, to close a dead connection and to batch the writes of one turn. */
export class SocketClient extends pg.Client {
  readonly socket: Socket

  constructor(config: string | pg.ClientConfig = {}) {
    const socket = new Socket()
    super({ ...(typeof config === 'string' ? { connectionString: config } : config), stream: () => socket })
    this.socket = socket
  }

  /** Closes the connection without waiting for the server. */
  cut() {
    this.socket.destroy()
  }
}
