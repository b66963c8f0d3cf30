/** ROS 2 names as DDS has them. */
import { InputError } from "../../model/input-error.ts";

/** Kinds of topics: of messages, of requests, of replies. */
export const topicName = (name: string): string => `rt${name}`;
export const requestName = (service: string): string => `rq${service}Request`;
export const replyName = (service: string): string => `rr${service}Reply`;

/** geometry_msgs/Vector3 is geometry_msgs::msg::dds_::Vector3_. */
export function typeName(type: string): string {
  const [pkg, name] = type.split("/");
  return `${pkg}::${/_(Request|Response)$/.test(name) ? "srv" : "msg"}::dds_::${name}_`;
}

export function checkNamespace(name: string, field: string): string {
  const plain = name.replace(/^\/+|\/+$/g, "");
  if (
    !/^[a-zA-Z_][a-zA-Z0-9_]*(\/[a-zA-Z_][a-zA-Z0-9_]*)*$/.test(plain) ||
    plain.includes("__") ||
    plain.length > 200
  )
    throw new InputError(`"${name}" is not a ROS 2 name`, {
      field,
      value: name,
      allowed: "letters, digits and single _, not beginning with a digit, parts separated by /",
    });
  return `/${plain}`;
}
