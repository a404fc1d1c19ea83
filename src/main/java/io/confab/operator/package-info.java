/// The tools of operators: the management port with health and metrics, and commands
/// on accounts, keys, schema and epoch, beside a running node or without one.
///
/// [io.confab.operator.ManagementClient] finds a running node by the file that
/// [io.confab.operator.ManagementFile] describes; without one [io.confab.operator.LocalData] opens
/// the servers for one command. Both end in [io.confab.operator.OperatorCommands]. Uses the domain;
/// only `cli`, `local` and the root package use it.
@NullMarked
package io.confab.operator;

import org.jspecify.annotations.NullMarked;
