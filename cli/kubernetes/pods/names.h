// What Kubernetes takes as a name. What it would refuse, or what would mean something else in a manifest, is refused
// before there is one.
#pragma once

#include <string>

namespace rv::kubernetes {

/// Each throws Error(usage) that names the option, the text and a right form.
void check_run_name(const std::string& option, const std::string& text);   // of a job: a host name with room behind it
void check_namespace(const std::string& option, const std::string& text);  // RFC 1123
void check_secret(const std::string& option, const std::string& text);     // a name of an object
void check_image(const std::string& option, const std::string& text);      // [HOST[:PORT]/]PATH[:TAG][@DIGEST]
void check_label_key(const std::string& option, const std::string& text);  // [DOMAIN/]NAME; also a taint's
void check_label_value(const std::string& option, const std::string& text);
void check_resource(const std::string& option, const std::string& text);  // DOMAIN/NAME, of a device plugin
void check_variable(const std::string& option, const std::string& text);  // of the environment
/// Of a variable: valid UTF-8 on one line.
void check_value(const std::string& option, const std::string& name, const std::string& value);

/// Whether it is a node's name (an RFC 1123 domain name), and so harmless as a folder's too.
bool is_node_name(const std::string& text);

}  // namespace rv::kubernetes
