/** A question that was not answered: `message` says why; `reply` is all that was said. */
export class Refused extends Error {
  constructor(status, reply) {
    super(reply.error ?? "The server cannot be reached.");
    this.status = status;
    this.reply = reply;
  }
}
