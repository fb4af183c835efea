// Loaded before a server of Node: whatever it listens on, it is reached from this machine only. Says the port it got.
const net = require("node:net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  this.once("listening", () => process.stderr.write(`listening on ${this.address().port}\n`));
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, ...rest.filter((one) => typeof one === "function"));
};
