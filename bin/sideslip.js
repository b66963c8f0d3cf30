#!/usr/bin/env node
import "../dist/sideslip.js";
