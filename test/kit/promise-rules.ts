/**
 * What ECMAScript says of promises, as programs: each is the body of an async function that logs what it sees, so that the
 * same text can be run in a cell and in Node and the two logs compared. Messages of errors are the engine's own; names are not.
 */
export const PROMISE_RULES: Readonly<Record<string, string>> = {
  "all: of nothing it is fulfilled, later": `
    const made = Promise.all([]).then((list) => log("all", list.length)); log("sync"); await made;`,
  "all: values keep the order of what was given": `
    const slow = Promise.withResolvers(), fast = Promise.withResolvers();
    const all = Promise.all([slow.promise, 2, fast.promise, { then(done) { done(4); } }]);
    fast.resolve(3); await null; slow.resolve(1); log(await all);`,
  "all: the first rejection decides": `
    const one = Promise.withResolvers(), two = Promise.withResolvers();
    const all = Promise.all([one.promise, two.promise]).catch((error) => log("rejected", error));
    two.reject("two"); one.reject("one"); await all;`,
  "all: an element that resolves twice counts once": `
    let first; const twice = { then(done) { first = done; done(1); done(9); } };
    const all = Promise.all([twice, new Promise((done) => setTimeout(done, 1, 2))]);
    await null; await null; first(7); log(await all);`,
  "all: resolve is read once and called for each": `
    let reads = 0, calls = 0;
    class Own extends Promise { static get resolve() { reads += 1; return (value) => { calls += 1; return Promise.resolve(value); }; } }
    log(await Own.all([1, 2, 3]), reads, calls);`,
  "all: a resolve that is no function rejects, and nothing is iterated": `
    let began = 0;
    class Own extends Promise { static get resolve() { return 5; } }
    await Own.all({ [Symbol.iterator]() { began += 1; return [][Symbol.iterator](); } }).catch((error) => log(error.name, began));`,
  "all, allSettled, any, race: what throws for an element closes the iterator": `
    for (const name of ["all", "allSettled", "any", "race"]) {
      let closed = 0;
      const list = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }), return() { closed += 1; return {}; } }) };
      class Own extends Promise { static resolve() { throw new RangeError("no"); } }
      await Own[name](list).catch((error) => log(name, error.name, closed));
    }`,
  "all, allSettled, any, race: an iterator that throws is not closed": `
    for (const name of ["all", "allSettled", "any", "race"]) {
      let closed = 0;
      const thrown = (next) => ({ [Symbol.iterator]: () => ({ next, return() { closed += 1; return {}; } }) });
      await Promise[name](thrown(() => { throw new EvalError("next"); })).catch((error) => log(name, error.name, closed));
      await Promise[name](thrown(() => ({ get done() { throw new EvalError("done"); } }))).catch((error) => log(name, error.name, closed));
      await Promise[name](thrown(() => ({ done: false, get value() { throw new EvalError("value"); } }))).catch((error) => log(name, error.name, closed));
      await Promise[name](thrown(() => 5)).catch((error) => log(name, error.name, closed));
    }`,
  "all, allSettled, any, race: a then that throws closes the iterator": `
    for (const name of ["all", "allSettled", "any", "race"]) {
      let closed = 0;
      const item = new Promise(() => {}); item.then = () => { throw new URIError("then"); };
      const list = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: item }), return() { closed += 1; return {}; } }) };
      await Promise[name](list).catch((error) => log(name, error.name, closed));
    }`,
  "all, allSettled, any, race: what cannot be iterated rejects; without a constructor they throw": `
    for (const name of ["all", "allSettled", "any", "race"]) {
      await Promise[name](undefined).catch((error) => log(name, "rejected", error.name));
      await Promise[name](5).catch((error) => log(name, "rejected", error.name));
      for (const receiver of [undefined, null, 1, {}, () => {}])
        try { Promise[name].call(receiver, []); log(name, "returned"); } catch (error) { log(name, "threw", error.name); }
    }`,
  "all: the functions for elements are anonymous, take one argument and are no constructors": `
    let seen;
    function Own(executor) { executor((value) => value, () => {}); }
    Own.resolve = (value) => value;
    Promise.all.call(Own, [{ then(done) { seen = done; } }]);
    log(seen.name, seen.length, Object.hasOwn(seen, "prototype"), Object.isExtensible(seen));
    try { new seen(); } catch (error) { log(error.name); }`,
  "all: with a constructor of one's own the capability is used": `
    const said = [];
    function Own(executor) { executor((value) => said.push("done " + JSON.stringify(value)), (error) => said.push("failed " + error)); }
    Own.resolve = (value) => Promise.resolve(value);
    Promise.all.call(Own, [1, 2]); await null; await null; await null; log(said);`,
  "all: a thousand elements": `
    const list = await Promise.all(Array.from({ length: 1000 }, async (_, n) => n)); log(list.length, list[999], list.every((value, n) => value === n));`,
  "allSettled: what it tells of each, in which order of keys": `
    log(JSON.stringify(await Promise.allSettled([1, Promise.reject("no"), { then(_, fail) { fail(3); } }])));
    const [one] = await Promise.allSettled([1]); log(Object.getPrototypeOf(one) === Object.prototype, JSON.stringify(Object.getOwnPropertyDescriptor(one, "status")));`,
  "allSettled: of nothing; an element settles once, either way": `
    log(await Promise.allSettled([]));
    let fail; const item = { then(done, failed) { fail = failed; done(1); failed(2); } };
    const all = Promise.allSettled([item, new Promise((done) => setTimeout(done, 1))]); await null; await null; fail(3); log(JSON.stringify(await all));`,
  "any: the first that is fulfilled": `
    log(await Promise.any([Promise.reject(1), new Promise((done) => setTimeout(done, 2, "late")), Promise.resolve("soon")]));`,
  "any: all rejections, in the order of what was given": `
    const slow = Promise.withResolvers();
    const any = Promise.any([slow.promise, Promise.reject("b")]); await null; slow.reject("a");
    await any.catch((error) => log(error.name, error instanceof AggregateError, error.errors, JSON.stringify(Object.getOwnPropertyDescriptor(error, "errors"))));`,
  "any: of nothing it is rejected": `await Promise.any([]).catch((error) => log(error.name, error.errors.length));`,
  "race: the first that settles, and every then is called": `
    const said = [];
    const item = (name) => ({ then(done) { said.push(name); done(name); } });
    log(await Promise.race([item("a"), item("b"), item("c")])); await null; log(said);`,
  "race: of nothing it stays as it is": `
    let state = "pending"; Promise.race([]).then(() => { state = "settled"; }, () => { state = "settled"; });
    await new Promise((done) => setTimeout(done, 2)); log(state);`,
  "race: a rejection may be first": `await Promise.race([Promise.reject("no"), Promise.resolve("yes")]).catch((error) => log("rejected", error));`,
  "withResolvers: what it gives": `
    const made = Promise.withResolvers(); log(Object.keys(made), made.promise instanceof Promise, made.resolve.length, made.reject.length, made.resolve.name);
    made.resolve(1); made.reject(2); log(await made.promise);
    class Own extends Promise {} log(Own.withResolvers().promise instanceof Own);
    try { Promise.withResolvers.call({}); } catch (error) { log(error.name); }`,
  "try: what is returned, thrown, given": `
    log(await Promise.try((...given) => given, 1, 2), await Promise.try(async () => 3), await Promise.try(() => ({ then(done) { done(4); } })));
    await Promise.try(() => { throw new RangeError("no"); }).catch((error) => log(error.name));
    let ran = false; Promise.try(() => { ran = true; }); log(ran);
    await Promise.try(5).catch((error) => log(error.name));
    class Own extends Promise {} log(Own.try(() => 1) instanceof Own);
    try { Promise.try.call(undefined, () => 1); } catch (error) { log("threw", error.name); }`,
  "resolve: a promise of the same constructor is itself": `
    const one = Promise.resolve(1); class Own extends Promise {} const own = Own.resolve(2);
    log(Promise.resolve(one) === one, Promise.resolve(own) === own, Own.resolve(own) === own, Own.resolve(one) === one, own instanceof Own);
    const odd = Promise.resolve(3); odd.constructor = Own; log(Promise.resolve(odd) === odd, Own.resolve(odd) === odd);`,
  "resolve, reject: without a constructor they throw": `
    for (const receiver of [undefined, 1, {}]) for (const name of ["resolve", "reject"])
      try { Promise[name].call(receiver, 1); log("returned"); } catch (error) { log(name, error.name); }
    const kept = Promise.resolve(1); await Promise.reject(kept).catch((error) => log(error === kept));`,
  "a promise resolved with itself is rejected": `
    let resolve; const self = new Promise((done) => { resolve = done; }); resolve(self); await self.catch((error) => log(error.name));
    const chained = Promise.resolve().then(() => chained); await chained.catch((error) => log(error.name));`,
  "a thenable: then is read once, called later, and only its first word counts": `
    let reads = 0; const said = [];
    const thenable = { get then() { reads += 1; said.push("read"); return (done, fail) => { said.push("called"); done(1); fail(2); done(3); throw new Error("late"); }; } };
    const made = Promise.resolve(thenable); said.push("sync"); log(await made, reads, said);`,
  "a thenable: a getter that throws, a then that is no function, a then that throws first": `
    await Promise.resolve({ get then() { throw new RangeError("read"); } }).catch((error) => log(error.name));
    const plain = { then: 5 }; log((await Promise.resolve(plain)) === plain);
    await Promise.resolve({ then() { throw new EvalError("called"); } }).catch((error) => log(error.name));
    const callable = Object.assign(() => {}, { then(done) { done("of a function"); } }); log(await callable);`,
  "a thenable: what it is called on and with": `
    let seen; const thenable = { then(...given) { seen = [this === thenable, given.length, given.map((one) => typeof one + one.length)]; given[0](); } };
    await thenable; log(seen);`,
  "a thenable: nested ones are followed, with those of primitives' prototypes": `
    log(await { then(done) { done({ then(inner) { inner("deep"); } }); } });
    Number.prototype.then = function (done) { done("asked a number"); };
    try { log(typeof (await 5)); } finally { delete Number.prototype.then; }`,
  "jobs: a value takes one round, a promise three": `
    const said = []; const rounds = (name, count) => { let made = Promise.resolve(); for (let n = 1; n <= count; n++) made = made.then(() => said.push(name + n)); return made; };
    const value = new Promise((done) => done(1)).then(() => said.push("value"));
    const promise = new Promise((done) => done(Promise.resolve(1))).then(() => said.push("promise"));
    const thenable = new Promise((done) => done({ then(inner) { inner(1); } })).then(() => said.push("thenable"));
    await Promise.all([rounds("r", 6), value, promise, thenable]); log(said);`,
  "jobs: await, return, return await and then in one order": `
    const said = [];
    const plain = async () => 1, promised = async () => Promise.resolve(1), awaited = async () => await Promise.resolve(1), thenable = async () => ({ then(done) { done(1); } });
    const one = plain().then(() => said.push("plain")), two = promised().then(() => said.push("promised")), three = awaited().then(() => said.push("awaited")), four = thenable().then(() => said.push("thenable"));
    const five = (async () => { for (let n = 0; n < 6; n++) { await null; said.push("tick" + n); } })();
    await Promise.all([one, two, three, four, five]); log(said);`,
  "jobs: reactions run in the order in which they were attached": `
    const said = []; const { promise, resolve } = Promise.withResolvers();
    promise.then(() => said.push(1)); promise.then(() => { said.push(2); promise.then(() => said.push(5)); }); promise.finally(() => said.push(3)); promise.then(() => said.push(4));
    resolve(); await promise; await null; await null; await null; log(said);`,
  "jobs: microtasks come before timers": `
    const said = []; const timer = new Promise((done) => setTimeout(() => { said.push("timer"); done(); }, 0));
    queueMicrotask(() => { said.push("micro"); Promise.resolve().then(() => said.push("then")); }); Promise.resolve().then(() => said.push("first"));
    said.push("sync"); await timer; log(said);`,
  "jobs: what throws in one does not keep the next from running": `
    const said = []; const failed = Promise.resolve().then(() => { throw new Error("one"); }); failed.catch(() => said.push("caught")); Promise.resolve().then(() => said.push("two")); await null; await null; await null; log(said);`,
  "then: without handlers values and reasons pass through": `
    log(await Promise.resolve(1).then().then(null, 5).then(undefined)); await Promise.reject("no").then((value) => value).then(5).catch((error) => log(error));
    log(await Promise.reject(1).catch((error) => error + 1).then((value) => value + 1));`,
  "then: species decides what is made": `
    class Own extends Promise {} class Plain extends Promise { static get [Symbol.species]() { return Promise; } }
    const own = Own.resolve(1), plain = Plain.resolve(1);
    log(own.then() instanceof Own, plain.then() instanceof Plain, plain.then() instanceof Promise, own.catch(() => 1) instanceof Own, own.finally(() => 1) instanceof Own, plain.finally(() => 1) instanceof Plain);
    for (const species of [undefined, null]) { const made = Promise.resolve(1); made.constructor = { [Symbol.species]: species }; log(made.then() instanceof Promise); }
    for (const constructor of [5, { [Symbol.species]: 5 }, { [Symbol.species]: () => {} }]) { const made = Promise.resolve(1); made.constructor = constructor; try { made.then(); log("made"); } catch (error) { log(error.name); } }`,
  "then: on what is no promise it throws": `
    for (const receiver of [undefined, 1, {}, { then() {} }]) try { Promise.prototype.then.call(receiver); } catch (error) { log(error.name); }`,
  "catch: calls then of whatever it is on": `
    const said = []; Promise.prototype.catch.call({ then(...given) { said.push(given.length, given[0] === undefined, given[1]); return said; } }, "handler"); log(said);
    try { Promise.prototype.catch.call(undefined); } catch (error) { log(error.name); }`,
  "finally: passes on what came, waits, and may replace it by failing": `
    log(await Promise.resolve(1).finally(() => 2)); await Promise.reject("a").finally(() => "b").catch((error) => log(error));
    await Promise.resolve(1).finally(() => { throw "thrown"; }).catch((error) => log(error)); await Promise.resolve(1).finally(() => Promise.reject("rejected")).catch((error) => log(error));
    const said = []; await Promise.resolve().finally(() => new Promise((done) => setTimeout(() => { said.push("waited"); done(); }, 1))); log(said);
    await Promise.resolve(1).finally((...given) => log(given.length));`,
  "finally: what it hands to then": `
    let seen; const handler = () => {}; class Own extends Promise { then(...given) { seen = given; return super.then(...given); } }
    Own.resolve(1).finally(handler); log(seen.map((one) => [typeof one, one === handler, one.length, one.name]));
    Own.resolve(1).finally(5); log(seen); try { Promise.prototype.finally.call({ constructor: 5 }, handler); } catch (error) { log(error.name); }`,
  "the executor: called at once, with two functions; what it throws rejects unless it has resolved": `
    const said = []; new Promise((...given) => said.push(given.map((one) => typeof one + one.length + one.name))); said.push("after"); log(said);
    await new Promise(() => { throw "thrown"; }).catch((error) => log(error)); log(await new Promise((done) => { done(1); throw "late"; }));
    await new Promise((done, fail) => { fail(1); done(2); }).catch((error) => log(error));`,
  "the constructor: needs new and a function; new.target gives the prototype": `
    for (const work of [() => Promise(() => {}), () => new Promise(), () => new Promise({}), () => Promise.call(Promise.resolve(), () => {})]) try { work(); } catch (error) { log(error.name); }
    class Odd {} log(Object.getPrototypeOf(Reflect.construct(Promise, [() => {}], Odd)) === Odd.prototype);`,
  "a capability: an executor that is called twice, or not at all": `
    function Twice(executor) { executor(undefined, undefined); executor((value) => value, (error) => error); } Twice.resolve = (value) => value; log(typeof Promise.resolve.call(Twice, 1));
    function Filled(executor) { executor((value) => value, (error) => error); executor(() => {}, () => {}); } try { Promise.resolve.call(Filled, 1); } catch (error) { log(error.name); }
    function Never() {} try { Promise.resolve.call(Never, 1); } catch (error) { log(error.name); }`,
  "properties: names, lengths and attributes": `
    for (const name of ["all", "allSettled", "any", "race", "reject", "resolve", "try", "withResolvers"]) { const { writable, enumerable, configurable, value } = Object.getOwnPropertyDescriptor(Promise, name); log(name, value.name, value.length, writable, enumerable, configurable, Object.hasOwn(value, "prototype")); }
    for (const name of ["then", "catch", "finally"]) { const { writable, enumerable, configurable, value } = Object.getOwnPropertyDescriptor(Promise.prototype, name); log(name, value.name, value.length, writable, enumerable, configurable); }
    const species = Object.getOwnPropertyDescriptor(Promise, Symbol.species); log(species.get.name, species.set, species.enumerable, species.configurable, Promise[Symbol.species] === Promise);
    log(JSON.stringify(Object.getOwnPropertyDescriptor(Promise.prototype, Symbol.toStringTag)), String(Promise.resolve()), Promise.length, Promise.name, JSON.stringify(Object.getOwnPropertyDescriptor(Promise, "prototype")));`,
  "await: does not call a then that was put on a promise, and asks for its constructor once": `
    let called = 0, asked = 0; const made = Promise.resolve(1); made.then = () => { called += 1; }; Object.defineProperty(made, "constructor", { get() { asked += 1; return Promise; } }); log(await made, called, asked);`,
  "await: in try, catch and finally": `
    const said = []; const work = async () => { try { await Promise.reject("a"); } catch (error) { said.push(error); return await "kept"; } finally { await null; said.push("finally"); } }; log(await work(), said);
    const over = async () => { try { return await 1; } finally { return await 2; } }; log(await over());`,
  "async functions: parameters that throw reject, and the promise is never the returned one": `
    const bad = async (value = (() => { throw new RangeError("default"); })()) => value; await bad().catch((error) => log(error.name));
    const inner = Promise.resolve(1); const outer = (async () => inner)(); log(outer === inner, await outer);`,
  "async generators: requests are queued, and return and throw settle in their turn": `
    const said = []; async function* made() { try { yield 1; yield Promise.resolve(2); yield 3; } finally { said.push("cleanup"); await null; } }
    const one = made(); const all = await Promise.all([one.next(), one.next(), one.return("over"), one.next()]); log(JSON.stringify(all), said);
    const two = made(); await two.next(); await two.throw(new EvalError("in")).catch((error) => log(error.name)); log(JSON.stringify(await two.next()));
    const fresh = made(); log(JSON.stringify(await fresh.return(Promise.resolve("r")))); await made().return(Promise.reject("rr")).catch((error) => log(error));`,
  "async generators: what is yielded and rejected is thrown inside": `
    const said = []; async function* made() { try { yield Promise.reject("inside"); } catch (error) { said.push(error); yield "after"; } } for await (const value of made()) said.push(value); log(said);`,
  "for await: waits for each, and closes on break": `
    const said = []; const source = { [Symbol.asyncIterator]() { let n = 0; return { async next() { n += 1; return { done: n > 3, value: n }; }, async return() { said.push("closed"); return {}; } }; } };
    for await (const value of source) { said.push(value); if (value === 2) break; } for await (const value of source) said.push(value); log(said);
    const sync = []; for await (const value of [1, Promise.resolve(2), { then(done) { done(3); } }]) sync.push(value); log(sync);`,
  "AggregateError: errors, cause, message": `
    const made = new AggregateError(new Set([1, 2]), "words", { cause: 3 }); log(made.errors, made.message, made.cause, made.name, AggregateError.length, Object.getPrototypeOf(AggregateError) === Error, Object.keys(made));`,
  "fromAsync: waits for elements and for what maps them": `
    log(await Array.fromAsync([1, Promise.resolve(2)], async (value, index) => value * 10 + index)); await Array.fromAsync(5).then((list) => log(list.length)); await Array.fromAsync(null).catch((error) => log(error.name));`,
};

/** Where the engine of cells is known to differ from the language, with what either of them returns. */
export const KNOWN_DIFFERENCES = [
  {
    about: "a promise whose constructor cannot be read rejects the function that awaits it, and is not thrown inside",
    program: `const made = Promise.resolve(1);
      Object.defineProperty(made, "constructor", { get() { throw new RangeError("no"); } });
      const work = async () => { try { await made; } catch { return "thrown"; } };
      return work().catch(() => "rejected");`,
    inNode: "thrown",
    inCell: "rejected",
  },
  {
    about: "for await closes an iterator whose next was rejected",
    program: `let closed = "left open";
      const source = { [Symbol.asyncIterator]: () => ({ async next() { throw 1; }, async return() { closed = "closed"; return {}; } }) };
      try { for await (const _ of source); } catch {}
      return closed;`,
    inNode: "left open",
    inCell: "closed",
  },
] as const;
