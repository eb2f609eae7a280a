/**
 * Node's test runner follows every promise, to say which test an error that nobody catches belongs to: a seventh of the CPU of
 * these tests, which are full of promises. Without it such an error ends the process, and `runBatch` reports it with the test that
 * it happened in.
 */
const asyncHooks = process.getBuiltinModule("node:async_hooks");
const idle = { enable: () => idle, disable: () => idle };
asyncHooks.createHook = () => idle;
