// A run that is over: run it again, delete it.
import { act, clocks } from "./server.js";
act();
clocks();
