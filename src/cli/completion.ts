/** Completions for shells: a script that knows commands, options and vehicles, made from the commands themselves. */
import { Argument, type Command } from "commander";
import { presetNames } from "../vehicle-types/index.ts";
import { print } from "./terminal.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("a script that completes commands, options and vehicles in your shell")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  source <(sideslip completion bash)          # in ~/.bashrc; zsh likewise, in ~/.zshrc
  sideslip completion fish > ~/.config/fish/completions/sideslip.fish
`,
    )
    .action((shell: (typeof SHELLS)[number]) => {
      print(shell === "fish" ? fishScript(program) : bashScript(program, shell === "zsh"));
    });
}

const optionsOf = (command: Command) => command.options.flatMap((o) => (o.long ? [o.long] : []));
/** Commands within commands are completed as one: `campaign show`. */
const wordsOf = (command: Command) => [...command.commands.map((c) => c.name()), ...optionsOf(command)];

function bashScript(program: Command, isZsh: boolean): string {
  const names = program.commands.map((c) => c.name());
  const cases = program.commands.map((c) => `    ${c.name()}) words="${wordsOf(c).join(" ")}" ;;`);
  return `${isZsh ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_sideslip() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${names.join(" ")}" vehicles=""
  if [ "$COMP_CWORD" -gt 1 ]; then
    vehicles="${presetNames().join(" ")}"
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words $vehicles" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _sideslip sideslip
`;
}

function fishScript(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const lines = program.commands.flatMap((c) => [
    `complete -c sideslip -n __fish_use_subcommand -a ${c.name()} -d ${quoted(c.description())}`,
    ...c.options.flatMap((o) =>
      o.long
        ? [
            `complete -c sideslip -n '__fish_seen_subcommand_from ${c.name()}' -l ${o.long.slice(2)} -d ${quoted(o.description)}`,
          ]
        : [],
    ),
  ]);
  const vehicles = `complete -c sideslip -n 'not __fish_use_subcommand' -a '${presetNames().join(" ")}'`;
  return `${[...lines, vehicles].join("\n")}\n`;
}
