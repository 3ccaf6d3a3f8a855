// Passes connections on to a port, the first argument. Its own port accepts one waiting connection; more wait to be
// retried by their system.
import { connect, createServer } from "node:net";

const server = createServer((outside) => {
  const inside = connect(Number(process.argv[2]), "127.0.0.1");
  for (const [one, other] of [
    [outside, inside],
    [inside, outside],
  ])
    one
      .on("error", () => {})
      .on("close", () => other.destroy())
      .pipe(other);
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(server.address().port));
